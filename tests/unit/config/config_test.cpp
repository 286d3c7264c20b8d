// Settings: one list drives all of it; every wrong value is one clear line.
#include "heddle/config/config.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "heddle/base/index.hpp"
#include "heddle/config/load.hpp"
#include "heddle/config/presets.hpp"
#include "tests/support/print_json.hpp"

namespace heddle {
namespace {

/// What the action refuses with; one line.
template <class Action>
std::string refusal(Action&& action) {
  try {
    action();
  } catch (const UsageError& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return error.what();
  }
  return "accepted";
}

/// The values that the tests below lean on, however the recipe is tuned.
Config known() {
  Config config;
  config.model.heads = 4;
  config.model.d_model = 128;
  config.model.norm = NormKind::pre;
  config.train.lr = 0.001;
  config.seed = 1;
  return config;
}

std::string set_refusal(std::string_view assignment) {
  return refusal([&] {
    Config config = known();
    set(config, assignment);
    validate(config);
  });
}

std::string parse_refusal(const std::string& json) {
  return refusal([&] { parse_config(json); });
}

std::string edited_json(const std::string& from, const std::string& to) {
  std::string json = config_json(known());
  const std::size_t at = json.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return json.replace(at, from.size(), to);
}

/// Another accepted value of a setting, as text.
template <class T>
std::string other_value(const Field<T>& field) {
  using Value = typename Field<T>::Value;
  if constexpr (Named<Value>) {
    const auto names = names_of(field.value);
    return std::string(names[(to_size(field.value) + 1) % names.size()]);
  } else if constexpr (std::integral<Value>) {
    return field_text(field.value + 1);
  } else if constexpr (std::is_same_v<Value, std::string>) {
    if (field.path == "task.lengths") return "4-8";
    return field.path == "task.kinds" ? "rotate,swaps" : "encoder.0.self.head.1";
  } else {
    return field_text(field.value == 0 ? 0.0009765625 : field.value / 2);
  }
}

/// Whether the setting's value survives text, JSON, hash and comparison when it is changed.
void check_changed(const Config& defaults, const Setting& setting, const std::string& text) {
  Config changed = defaults;
  set(changed, setting.name, text);
  EXPECT_FALSE(changed == defaults);
  EXPECT_NE(config_hash(changed), config_hash(defaults));
  EXPECT_EQ(differences(defaults, changed),
            std::vector{fmt::format("{}={} against {}", setting.name, setting.value, text)});
  static const std::set<std::string> kRefusedAlone{"model.heads", "model.d_model", "model.dropout"};
  if (kRefusedAlone.contains(setting.name)) return;
  EXPECT_EQ(differences(parse_config(config_json(changed)), changed), std::vector<std::string>{});
}

TEST(Config, EverySettingGoesThroughTextJsonHashAndEquality) {
  for (const TaskKind task : {TaskKind::addition, TaskKind::sortedness}) {
    const Config defaults = default_config(task);
    std::vector<std::string> others;
    walk_settings(defaults, [&](const auto& field) { others.push_back(other_value(field)); });
    std::size_t at = 0;
    for (const Setting& setting : settings(defaults)) {
      SCOPED_TRACE(setting.name);
      std::string other = others[at++];
      if (setting.name == "model.family")  // of the others only the task's own is accepted
        other = field_text(defaults.family());
      if (setting.name != "task.name") check_changed(defaults, setting, other);
    }
  }
}

TEST(Config, EverySettingIsExplained) {
  for (const TaskKind task : {TaskKind::addition, TaskKind::sortedness})
    for (const Setting& setting : settings(default_config(task))) {
      EXPECT_FALSE(setting.help.empty() || setting.accepted.empty()) << setting.name;
      EXPECT_EQ(setting.value, setting.default_value);
    }
}

TEST(Config, HoldsTheSettingsOfTheSpecification) {
  std::set<std::string> names;
  for (const Setting& setting : settings({})) names.insert(setting.name);
  for (const std::string_view name : {"task.digits",
                                      "task.order",
                                      "task.source",
                                      "task.carry_balance",
                                      "task.bos",
                                      "task.pad",
                                      "model.family",
                                      "model.d_model",
                                      "model.d_ff",
                                      "model.heads",
                                      "model.encoder_layers",
                                      "model.decoder_layers",
                                      "model.norm",
                                      "model.final_norm",
                                      "model.activation",
                                      "model.position",
                                      "model.position_past_end",
                                      "model.dropout",
                                      "model.cut_heads",
                                      "train.batch",
                                      "train.steps",
                                      "train.lr",
                                      "train.warmup",
                                      "train.schedule",
                                      "train.clip",
                                      "train.weight_decay",
                                      "train.ema",
                                      "train.optimizer",
                                      "train.beta1",
                                      "train.beta2",
                                      "train.epsilon",
                                      "train.min_lr",
                                      "train.eval_every",
                                      "seed"})
    EXPECT_TRUE(names.contains(std::string(name))) << name;
}

Config with(std::string_view assignment) {
  Config config;
  set(config, assignment);
  return config;
}

TEST(Config, NamesMeanTheirValues) {
  EXPECT_EQ(with("position=sinusoidal").model.position, PositionKind::sinusoidal);
  EXPECT_EQ(with("position=learned").model.position, PositionKind::learned);
  EXPECT_EQ(with("position=none").model.position, PositionKind::none);
  EXPECT_EQ(with("position_past_end=untrained").model.position_past_end, PastEndKind::untrained);
  EXPECT_EQ(with("order=least").task.order, DigitOrder::least);
  EXPECT_EQ(with("source=fixed").task.source, DataSource::fixed);
  EXPECT_EQ(with("task.bos=none").task.bos, BosKind::none);
}

TEST(Config, NamesMeanTheirValuesInTrainingToo) {
  EXPECT_EQ(with("pad=zero").task.pad, PadKind::zero);
  EXPECT_EQ(with("norm=post").model.norm, NormKind::post);
  EXPECT_EQ(with("activation=gelu").model.activation, ActivationKind::gelu);
  EXPECT_EQ(with("schedule=constant").train.schedule, ScheduleKind::constant);
  EXPECT_EQ(with("schedule=linear").train.schedule, ScheduleKind::linear);
  EXPECT_EQ(with("optimizer=adam").train.optimizer, OptimizerKind::adam);
}

TEST(Config, NumbersReadBackToTheSameBits) {
  Config config;
  config.train.lr = 0.1 + 0.2;
  config.train.epsilon = std::numeric_limits<double>::denorm_min();
  config.seed = std::numeric_limits<std::uint64_t>::max();
  const Config back = parse_config(config_json(config));
  EXPECT_EQ(back.train.lr, config.train.lr);
  EXPECT_EQ(back.train.epsilon, config.train.epsilon);
  EXPECT_EQ(back.seed, config.seed);
}

TEST(ConfigSet, GroupMayBeLeftOut) {
  EXPECT_EQ(full_name("heads"), "model.heads");
  EXPECT_EQ(full_name("model.heads"), "model.heads");
  EXPECT_EQ(full_name("seed"), "seed");
}

TEST(ConfigSet, WrongNamesGetTheNearest) {
  EXPECT_EQ(set_refusal("haeds=8"), "unknown setting 'haeds' (did you mean 'heads'?)");
  EXPECT_EQ(set_refusal("modl.heads=8"),
            "unknown setting 'modl.heads' (did you mean 'model.heads'?)");
  EXPECT_EQ(set_refusal("zebra=8"), "unknown setting 'zebra': `heddle config` lists the settings");
  EXPECT_EQ(set_refusal("model=8"), "unknown setting 'model' (did you mean 'd_model'?)");
  EXPECT_EQ(set_refusal("a\nb=8"), "unknown setting 'a\\x0ab': `heddle config` lists the settings");
  EXPECT_EQ(set_refusal("model.norm=pres"),
            "model.norm='pres': accepted is pre or post (did you mean 'pre'?)");
  EXPECT_EQ(set_refusal("norm=9"), "model.norm='9': accepted is pre or post");
}

TEST(ConfigSet, WrongAssignments) {
  EXPECT_EQ(set_refusal("heads"),
            "'heads' is not a setting: accepted is key=value, such as model.heads=8");
  EXPECT_EQ(set_refusal("=8"),
            "'=8' is not a setting: accepted is key=value, such as model.heads=8");
  EXPECT_EQ(set_refusal("heads="), "model.heads='': accepted is a whole number from 1 to 1024");
}

TEST(ConfigSet, WrongNumbers) {
  const std::string batch = "accepted is a whole number from 1 to 1048576";
  EXPECT_EQ(set_refusal("batch=-4"), "train.batch='-4': " + batch);
  EXPECT_EQ(set_refusal("batch=0"), "train.batch='0': " + batch);
  EXPECT_EQ(set_refusal("batch=many"), "train.batch='many': " + batch);
  EXPECT_EQ(set_refusal("batch=2.5"), "train.batch='2.5': " + batch);
  EXPECT_EQ(set_refusal("batch=99999999999999999999"),
            "train.batch='99999999999999999999': " + batch);
  EXPECT_EQ(set_refusal("digits=0"), "task.digits='0': accepted is a whole number from 1 to 64");
  EXPECT_EQ(set_refusal("steps=2000000000"),
            "train.steps='2000000000': accepted is a whole number from 1 to 1000000000");
  EXPECT_EQ(set_refusal("dropout=1.5"),
            "model.dropout='1.5': accepted is a number at least 0 and below 1");
  EXPECT_EQ(set_refusal("lr=nan"), "train.lr='nan': accepted is a number above 0");
  EXPECT_EQ(set_refusal("lr=inf"), "train.lr='inf': accepted is a number above 0");
  EXPECT_EQ(set_refusal("lr=0"), "train.lr='0': accepted is a number above 0");
  EXPECT_EQ(set_refusal("lr=1e-3x"), "train.lr='1e-3x': accepted is a number above 0");
  EXPECT_EQ(set_refusal("ema=1"), "train.ema='1': accepted is a number at least 0 and below 1");
  EXPECT_EQ(set_refusal("carry_balance=1.01"),
            "task.carry_balance='1.01': accepted is a number from 0 to 1");
  EXPECT_EQ(set_refusal("seed=-1"),
            "seed='-1': accepted is a whole number from 0 to 18446744073709551615");
}

TEST(ConfigValidate, WhatCannotGoTogether) {
  EXPECT_EQ(set_refusal("d_model=130"), "model.d_model=130 is not divisible by model.heads=4");
  EXPECT_EQ(set_refusal("dropout=0.1"),
            "model.dropout=0.1: dropout is not supported yet, only 0 is");
  EXPECT_EQ(set_refusal("min_lr=1"),
            "train.min_lr=1 is above train.lr=0.001: accepted is at most train.lr");
}

TEST(ConfigValidate, ValuesSetInCode) {
  Config config;
  config.train.lr = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal([&] { validate(config); }), "train.lr=nan: accepted is a number above 0");
  config = {};
  config.train.clip = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal([&] { validate(config); }), "train.clip=inf: accepted is a number at least 0");
  config = {};
  config.model.heads = 0;
  EXPECT_EQ(refusal([&] { validate(config); }),
            "model.heads=0: accepted is a whole number from 1 to 1024");
}

TEST(ConfigJson, RefusesWhatIsNotAConfiguration) {
  EXPECT_EQ(parse_refusal(""), "the configuration is not JSON: wrong at byte 1");
  EXPECT_EQ(parse_refusal("[]"), "the configuration is not a JSON object");
  EXPECT_EQ(parse_refusal("{}"), "setting task.name is missing");
  EXPECT_EQ(parse_refusal(edited_json("\"seed\": 1", "\"sead\": 1")),
            "unknown setting 'sead' (did you mean 'seed'?)");
  EXPECT_EQ(parse_refusal(edited_json("\"heads\": 4", "\"haeds\": 4")),
            "unknown setting 'model.haeds' (did you mean 'model.heads'?)");
  EXPECT_EQ(parse_refusal(edited_json("\"heads\": 4,", "")), "setting model.heads is missing");
  EXPECT_EQ(parse_refusal(edited_json("\"seed\": 1", "\"seed\": 1, \"zebra\": {}")),
            "unknown setting 'zebra': `heddle config` lists the settings");
  EXPECT_EQ(parse_refusal("{\"task\": 3}"), "setting 'task' is not a group of settings");
}

TEST(ConfigJson, RefusesWrongTypesAndValues) {
  const std::string heads = "accepted is a whole number from 1 to 1024";
  EXPECT_EQ(parse_refusal(edited_json("\"heads\": 4", "\"heads\": \"4\"")),
            "setting model.heads has the wrong type: " + heads);
  EXPECT_EQ(parse_refusal(edited_json("\"heads\": 4", "\"heads\": 4.5")),
            "setting model.heads has the wrong type: " + heads);
  EXPECT_EQ(parse_refusal(edited_json("\"heads\": 4", "\"heads\": null")),
            "setting model.heads has the wrong type: " + heads);
  EXPECT_EQ(parse_refusal(edited_json("\"heads\": 4", "\"heads\": -4")),
            "model.heads='-4': " + heads);
  EXPECT_EQ(parse_refusal(edited_json("\"heads\": 4", "\"heads\": 3")),
            "model.d_model=128 is not divisible by model.heads=3");
  EXPECT_EQ(parse_refusal(edited_json("\"norm\": \"pre\"", "\"norm\": 0")),
            "setting model.norm has the wrong type: accepted is pre or post");
  EXPECT_EQ(parse_refusal(edited_json("\"norm\": \"pre\"", "\"norm\": \"\\ud800\"")).substr(0, 33),
            "the configuration is not JSON: wr");
  EXPECT_NE(parse_refusal(edited_json("\"lr\": 0.001", "\"lr\": 1e999")), "accepted");
  EXPECT_EQ(parse_refusal(edited_json("\"lr\": 0.001", "\"lr\": 1")), "accepted");
}

TEST(ConfigJson, CutAnywhereIsRefused) {
  const std::string json = config_json({});
  for (std::size_t length = 0; length + 2 < json.size(); ++length)
    EXPECT_NE(parse_refusal(json.substr(0, length)), "accepted") << length;
}

TEST(ConfigPresets, AllAreValidAndOnlyTheDefectIsLabelled) {
  for (const TaskKind task : {TaskKind::addition, TaskKind::sortedness})
    for (const Preset& known : presets(task)) {
      const Config config = preset(known.name, task);
      validate(config);
      EXPECT_EQ(config.task.name, task) << known.name;
      EXPECT_EQ(!config.defect_note().empty(), known.name == "as-reported") << known.name;
    }
  EXPECT_TRUE(preset("default") == Config{});
  EXPECT_EQ(refusal([] { preset("as_reported"); }),
            "unknown preset 'as_reported': accepted is default or as-reported (did you mean "
            "'as-reported'?)");
  EXPECT_EQ(refusal([] { preset("hand-built"); }),
            "preset 'hand-built' belongs to sortedness: addition accepts default or as-reported");
}

TEST(ConfigPresets, EachDefectIsNamed) {
  Config config;
  config.task.pad = PadKind::zero;
  EXPECT_NE(config.defect_note().find("task.pad=zero"), std::string::npos);
  EXPECT_EQ(config.defect_note().find("task.bos=none"), std::string::npos);
  config.task.bos = BosKind::none;
  EXPECT_NE(config.defect_note().find("task.bos=none"), std::string::npos);
  EXPECT_EQ(config.defect_note().substr(0, 24), "reproduction of a defect");
}

}  // namespace
}  // namespace heddle
