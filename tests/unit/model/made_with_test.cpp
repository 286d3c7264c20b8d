// Settings and weights that belong together, and those that do not.
#include "heddle/model/made_with.hpp"

#include <gtest/gtest.h>

#include "heddle/base/file.hpp"
#include "heddle/config/changed_setting.hpp"
#include "heddle/config/load.hpp"
#include "heddle/model/save_member.hpp"
#include "heddle/task/file/file_task.hpp"
#include "tests/support/tensors.hpp"
#include "tests/support/tiny_model.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle::testing {
namespace {

/// What loading says after config.json was written over with these settings.
std::string refusal(const std::string& run, const Config& config) {
  write_file(run + "/config.json", config_json(config));
  return message_of<FileError>([&] { (void)load_member(run); });
}

TEST(MadeWith, ChangedSettingsAreNamed) {
  const TempFolder folder;
  const std::string run = folder / "run";
  const Config sound = tiny_config();
  save_member(run, make_member(sound), {});
  EXPECT_EQ(refusal(run, sound), "no error");
  for (const char* change : {"heads=4", "seed=3", "lr=0.005", "order=least", "batch=64"}) {
    Config config = sound;
    set(config, change);
    const std::string said = refusal(run, config);
    EXPECT_TRUE(said.starts_with("'" + run + "/config.json' does not belong to '" + run +
                                 "/model.safetensors': it says "))
        << said;
    EXPECT_NE(said.find(change), std::string::npos) << said;
    EXPECT_NE(said.find(" fits"), std::string::npos) << said;
    EXPECT_EQ(said.find("hash"), std::string::npos) << said;
  }
  Config two = sound;
  set(two, "heads=4");
  set(two, "seed=3");
  EXPECT_NE(refusal(run, two).find(config_hash(sound) + "' fits"), std::string::npos);
}

TEST(MadeWith, TheSettingIsFound) {
  const Config sound = tiny_config();
  Config changed = sound;
  set(changed, "lr=0.002");
  EXPECT_EQ(changed_setting(changed, config_hash(sound)),
            "train.lr=0.002, and train.lr=0.001 fits");
  EXPECT_EQ(changed_setting(changed, "0123456789abcdef"), std::nullopt);
}

/// Older runs, and those of other programs, do not say with which settings they were made.
TEST(MadeWith, WeightsWithoutAHashAreLoaded) {
  const TempFolder folder;
  const Member member = make_member(tiny_config());
  write_file(folder / "config.json", config_json(tiny_config()));
  save_weights(folder / "model.safetensors", member.weights, {});
  EXPECT_TRUE(same_bits(load_member(folder.path()).weights.flat(), member.weights.flat()));
}

/// The file of a task may move after the training; its data have a hash of their own.
TEST(MadeWith, DataMayLieElsewhere) {
  const TempFolder folder;
  write_file(folder / "p.csv", std::string_view("input,output\na b,b a\nb c,c b\nc a,a c\n"));
  Config config = default_config(TaskKind::file);
  config.task.path = folder / "p.csv";
  read_shape(config);
  const std::string run = folder / "run";
  const FileTask task(config, ReadProgress{});
  NewRun(run, config).save(config, make_member(config).weights, {}, task.files());
  std::filesystem::rename(folder / "p.csv", folder / "q.csv");
  Config moved = config;
  moved.task.path = folder / "q.csv";
  EXPECT_EQ(refusal(run, moved), "no error");
  moved.task.path = folder / "r.csv";
  EXPECT_NE(refusal(run, moved)
                .find("r.csv', where no file is, and task.path='" + config.task.path + "' fits"),
            std::string::npos)
      << refusal(run, moved);
  moved.task.path = folder / "q.csv";
  moved.seed = 5;
  EXPECT_NE(refusal(run, moved).find("does not belong"), std::string::npos);
  std::filesystem::remove(run + "/lexicon.json");
  moved.seed = config.seed;
  EXPECT_NE(refusal(run, moved).find("does not belong"), std::string::npos);
}

}  // namespace
}  // namespace heddle::testing
