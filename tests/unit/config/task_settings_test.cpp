// Settings that belong to one task: another task refuses them, and neither its config.json nor its
// hash knows of them.
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "heddle/config/load.hpp"
#include "heddle/config/presets.hpp"
#include "tests/support/print_json.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle {
namespace {

const std::set<std::string> kOfAddition{
    "task.digits", "task.order", "task.carry_balance",   "task.carry_fade",
    "task.bos",    "task.pad",   "model.encoder_layers", "model.decoder_layers"};
const std::set<std::string> kOfSortedness{
    "task.lengths",         "task.values",         "task.kinds",
    "model.layers",         "model.position_rows", "model.position_deviation",
    "model.position_reach", "model.position_base", "model.direction",
    "model.pooling",        "model.normaliser"};

std::set<std::string> names_in(const Config& config) {
  std::set<std::string> names;
  for (const Setting& setting : settings(config)) names.insert(setting.name);
  return names;
}

/// "model.pooling" → "\"pooling\"", as config.json writes it.
std::string key(const std::string& name) {
  return fmt::format("\"{}\":", name.substr(name.find('.') + 1));
}

void expect_foreign(TaskKind task, const std::set<std::string>& foreign,
                    const std::set<std::string>& own) {
  const Config config = default_config(task);
  const std::set<std::string> names = names_in(config);
  const std::string json = config_json(config);
  for (const std::string& name : own) {
    EXPECT_TRUE(names.contains(name)) << name;
    EXPECT_NE(json.find(key(name)), std::string::npos) << name;
  }
  for (const std::string& name : foreign) {
    EXPECT_FALSE(names.contains(name)) << name;
    EXPECT_EQ(json.find(key(name)), std::string::npos) << name;
    Config changed = config;
    EXPECT_NE(
        message_of<UsageError>([&] { set(changed, name, "1"); }).find(name + " is a setting of "),
        std::string::npos)
        << name;
  }
}

TEST(TaskSettings, EachTaskHasItsOwn) {
  expect_foreign(TaskKind::addition, kOfSortedness, kOfAddition);
  expect_foreign(TaskKind::sortedness, kOfAddition, kOfSortedness);
}

TEST(TaskSettings, AFileWithAnotherTasksSettingIsRefused) {
  std::string json = config_json(default_config(TaskKind::sortedness));
  const std::string anchor = "\"lengths\":";
  json.insert(json.find(anchor), "\"digits\": 3, ");
  EXPECT_NE(message_of<UsageError>([&] { parse_config(json); }).find("'task.digits'"),
            std::string::npos);
  std::string addition = config_json(default_config(TaskKind::addition));
  addition.insert(addition.find("\"digits\":"), "\"kinds\": \"dip\", ");
  EXPECT_NE(message_of<UsageError>([&] { parse_config(addition); }).find("'task.kinds'"),
            std::string::npos);
}

/// What another task's setting holds changes nothing.
TEST(TaskSettings, ForeignValuesAreNoPartOfAConfiguration) {
  const Config plain;
  Config changed;
  changed.task.kinds = "dip";
  changed.model.pooling = PoolingSetting::max;
  changed.model.layers = 7;
  EXPECT_TRUE(plain == changed);
  EXPECT_EQ(config_hash(plain), config_hash(changed));
  EXPECT_EQ(config_json(plain), config_json(changed));
}

/// Runs that are older than the second task keep their names.
TEST(TaskSettings, AFileOlderThanASettingIsRead) {
  for (const std::string line :
       {"    \"position_starts\": 1,\n", "    \"final_norm\": \"by-norm\",\n"}) {
    std::string text = config_json(Config{});
    const std::size_t at = text.find(line);
    ASSERT_NE(at, std::string::npos) << line;
    EXPECT_EQ(parse_config(text.erase(at, line.size())), Config{}) << line;
  }
  Config other;
  other.model.position = PositionKind::abacus;
  const std::string before = config_hash(other);
  other.model.position_starts = 2;
  EXPECT_NE(config_hash(other), before);
}

TEST(TaskSettings, TheHashesOfAdditionAreWhatTheyWere) {
  EXPECT_EQ(config_hash(Config{}), "f74a697a93576b15");
  EXPECT_EQ(config_hash(preset("as-reported", TaskKind::addition)), "925ac59a5e992389");
  EXPECT_EQ(config_json(Config{}), R"({
  "task": {
    "name": "addition",
    "digits": 3,
    "order": "most",
    "source": "stream",
    "carry_balance": 0.5,
    "carry_fade": 0.0,
    "bos": "token",
    "pad": "token"
  },
  "model": {
    "d_model": 128,
    "d_ff": 512,
    "heads": 4,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "norm": "pre",
    "final_norm": "by-norm",
    "activation": "relu",
    "position": "learned",
    "position_past_end": "reject",
    "position_starts": 1,
    "dropout": 0.0,
    "cut_heads": ""
  },
  "train": {
    "batch": 128,
    "steps": 2000,
    "lr": 0.001,
    "warmup": 100,
    "schedule": "cosine",
    "min_lr": 0.0,
    "clip": 1.0,
    "weight_decay": 0.0,
    "ema": 0.0,
    "optimizer": "adamw",
    "beta1": 0.9,
    "beta2": 0.98,
    "epsilon": 1e-08,
    "eval_every": 200
  },
  "seed": 1
}
)");
}

TEST(TaskSettings, PresetsGoThroughJson) {
  for (const TaskKind task : {TaskKind::addition, TaskKind::sortedness})
    for (const Preset& known : presets(task)) {
      const Config config = preset(known.name, task);
      EXPECT_EQ(differences(parse_config(config_json(config)), config), std::vector<std::string>{});
    }
}

}  // namespace
}  // namespace heddle
