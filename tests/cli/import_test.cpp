// heddle import: a PyTorch model in; a run that every command reads, or one line and no run.
#include "heddle/model/import/import.hpp"

#include <gtest/gtest.h>

#include "heddle/base/json.hpp"
#include "heddle/tensor/safetensors.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/golden_import.hpp"
#include "tests/support/holds.hpp"
#include "tests/support/print_json.hpp"

namespace heddle {
namespace {

using heddle::Json;

using testing::golden_import_path;

/// The words that import a golden model, with more of them at the end.
std::vector<std::string> importing(const std::string& name, const std::string& run,
                                   const std::vector<std::string>& more = {}) {
  const std::string weights = name == "sorter_single" ? "sorter" : name;
  std::vector<std::string> words{"import",      golden_import_path(weights + ".safetensors"),
                                 "--map",       golden_import_path(name + "_map.json"),
                                 "--out",       run,
                                 "--reference", golden_import_path(name + "_dump.safetensors")};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(CliImport, WritesARunAndSaysHowNearItIs) {
  for (const std::string name : {"adder", "before", "sorter", "sorter_single"}) {
    const TempFolder folder;
    const Outcome outcome = heddle_call(importing(name, folder / "run", {"--json"}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json json = Json::parse(outcome.out);
    EXPECT_EQ(json.at("written"), true);
    EXPECT_EQ(json.at("imported_from").get<std::string>().size(), 16U);
    const Json& reference = json.at("reference");
    EXPECT_EQ(reference.at("equal"), true);
    EXPECT_LE(reference.at("largest_difference"), reference.at("tolerance"));
    EXPECT_NEAR(
        reference.at("tolerance"),
        reference.at("depth").get<double>() * 0x1p-24 * reference.at("largest_logit").get<double>(),
        1e-12);
    const Metadata metadata = read_safetensors(folder / "run/model.safetensors").metadata;
    EXPECT_EQ(metadata.at(kImportedFrom), json.at("imported_from").get<std::string>());
    EXPECT_TRUE(metadata.contains(kImportMap));
    EXPECT_EQ(TempFolder().names(), std::vector<std::string>{});
    EXPECT_EQ(folder.names(), std::vector<std::string>{"run"});
  }
}

TEST(CliImport, SaysItInWordsToo) {
  const TempFolder folder;
  const Outcome outcome = heddle_call(importing("before", folder / "run"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part : {"parameters", "29", "tensors ignored", "constants", "28", "cannot read",
                           "never says", "largest difference", "63 of 64", "eval"})
    EXPECT_TRUE(holds(outcome.out, part)) << part << " in " << outcome.out;
}

/// Without a dump nothing is compared.
TEST(CliImport, NeedsNoReference) {
  const TempFolder folder;
  std::vector<std::string> words = importing("adder", folder / "run", {"--json"});
  words.erase(words.begin() + 6, words.begin() + 8);
  const Outcome outcome = heddle_call(words);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(Json::parse(outcome.out).at("reference").is_null());
}

class CliImported : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TempFolder;
    for (const std::string name : {"adder", "sorter"})
      ASSERT_EQ(heddle_call(importing(name, *folder_ / name)).code, 0);
  }
  static void TearDownTestSuite() { delete folder_; }
  static Outcome call(const std::vector<std::string>& words) { return heddle_call(words); }
  static std::string run(const std::string& name) { return *folder_ / name; }

  static TempFolder* folder_;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
};
TempFolder* CliImported::folder_ = nullptr;  // NOLINT

TEST_F(CliImported, EveryCommandReadsTheAdder) {
  const std::string adder = run("adder"), out = *folder_ / "out";
  const Outcome eval = call({"eval", adder, "--census", "--json"});
  ASSERT_EQ(eval.code, 0) << eval.err;
  const Json score = Json::parse(eval.out);
  EXPECT_GT(score.at("greedy").at("correct").get<double>(),
            0.8 * score.at("greedy").at("total").get<double>());
  EXPECT_EQ(score.at("greedy"), score.at("teacher_forced"));
  EXPECT_TRUE(score.at("seen").is_null()) << "what its training saw is not known";
  EXPECT_TRUE(holds(call({"eval", adder}).out, "weights that no training here made"));
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"ask", adder, "17+25", "--json"},
        {"attend", adder, "17+25", "--json"},
        {"ablate", adder, "--mode", "zero", "--json"},
        {"specialise", adder, "--limit", "20", "--json"},
        {"taps", adder, "--json"},
        {"capture", adder, "17+25", "--tap", "encoder.norm.out", "--out", out},
        {"prune", adder, "--keep", "3", "--out", *folder_ / "pruned", "--json"}}) {
    const Outcome outcome = call(words);
    EXPECT_EQ(outcome.code, 0) << words[0] << ": " << outcome.err;
  }
}

TEST_F(CliImported, CommandsReadTheSorter) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"eval", run("sorter"), "--lengths", "8", "--count", "20",
                                 "--json"},
        {"ask", run("sorter"), "3 5 5 9", "--json"},
        {"taps", run("sorter"), "--json"}}) {
    const Outcome outcome = call(words);
    EXPECT_EQ(outcome.code, 0) << words[0] << ": " << outcome.err;
  }
}

/// Training would replace what no training of ours made.
TEST_F(CliImported, TrainRefusesIt) {
  const std::string model = file_bytes(run("adder") + "/model.safetensors");
  const Json config = Json::parse(file_bytes(run("adder") + "/config.json"));
  std::vector<std::string> words{"train", "addition", "--out", run("adder"), "--set"};
  for (const auto& [group, settings] : config.items()) {
    if (!settings.is_object()) continue;
    for (const auto& [name, value] : settings.items())
      if (name != "name")
        words.push_back(group + "." + name + "=" +
                        (value.is_string() ? value.get<std::string>() : value.dump()));
  }
  const Outcome outcome = call(words);
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_EQ(outcome.err, "heddle: '" + run("adder") +
                             "' holds an imported model, which no training made; choose another "
                             "--out\n");
  EXPECT_EQ(file_bytes(run("adder") + "/model.safetensors"), model);
}

TEST_F(CliImported, TheSameAgainGivesTheSameBits) {
  const std::string model = file_bytes(run("adder") + "/model.safetensors");
  EXPECT_EQ(call(importing("adder", run("adder"))).code, 0);
  EXPECT_EQ(file_bytes(run("adder") + "/model.safetensors"), model);
}

/// A map of the adder in which one thing is changed.
class CliImportRefuses : public ::testing::Test {
 protected:
  template <class Change>
  Outcome import_with(Change change, const std::vector<std::string>& more = {},
                      const CallOptions& options = {}) const {
    Json map = Json::parse(file_bytes(golden_import_path("adder_map.json")));
    change(map);
    put_file(folder_ / "map.json", map.dump());
    std::vector<std::string> words = importing("adder", folder_ / "run", more);
    words[3] = folder_ / "map.json";
    return heddle_call(words, options);
  }
  void expect_no_run() const { EXPECT_EQ(folder_.names(), std::vector<std::string>{"map.json"}); }

  TempFolder folder_;
};

/// Embeddings that are not scaled, and projections whose heads are mixed up: shapes fit, logits do
/// not.
TEST_F(CliImportRefuses, AModelThatIsNotTheSame) {
  const auto unscaled = [](Json& map) { map["tensors"]["encoder.embed.token"] = "source.weight"; };
  const Outcome outcome = import_with(unscaled);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(outcome.one_line()) << outcome.err;
  EXPECT_TRUE(holds(outcome.err, "their logits and ours differ by up to ")) << outcome.err;
  EXPECT_TRUE(holds(outcome.err, "nothing was written")) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  expect_no_run();
  const Outcome as_json = import_with(
      [](Json& map) {
        map["tensors"]["encoder.{i}.self.w_o"] = {
            {"from", "transformer.encoder.layers.{i}.self_attn.out_proj.weight"},
            {"transpose", false}};
      },
      {"--json"});
  EXPECT_EQ(as_json.code, 1);
  EXPECT_EQ(Json::parse(as_json.out).at("written"), false);
  EXPECT_EQ(Json::parse(as_json.out).at("reference").at("equal"), false);
  expect_no_run();
}

TEST_F(CliImportRefuses, AMapThatIsWrong) {
  const Outcome setting = import_with([](Json& map) { map["settings"]["model.d_modl"] = 3; });
  EXPECT_EQ(setting.code, 2);
  EXPECT_EQ(setting.err, "heddle: '" + (folder_ / "map.json") +
                             "': unknown setting 'model.d_modl' (did you mean 'model.d_model'?)\n");
  const Outcome twice = import_with([](Json& map) { map["tensors"]["encoder.norm"] = "zeros"; });
  EXPECT_EQ(twice.code, 2);
  EXPECT_EQ(twice.err, "heddle: '" + (folder_ / "map.json") +
                           "': tensors: 'encoder.norm' is no weight of this model\n");
  const Outcome shape = import_with([](Json& map) { map["settings"]["model.d_ff"] = 63; });
  EXPECT_EQ(shape.code, 1);
  EXPECT_TRUE(shape.one_line());
  EXPECT_TRUE(holds(shape.err, "has shape [64, 16]; encoder.0.mlp.w_in needs [63, 16]"))
      << shape.err;
  expect_no_run();
}

TEST_F(CliImportRefuses, FilesThatAreNotThere) {
  const auto same = [](Json&) {};
  (void)import_with(same);
  for (const std::size_t word : {1U, 3U, 7U}) {
    std::vector<std::string> words = importing("adder", folder_ / "other");
    words[word] = folder_ / "none";
    const Outcome outcome = heddle_call(words);
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_TRUE(outcome.one_line() && holds(outcome.err, "none")) << outcome.err;
  }
  EXPECT_EQ(folder_.names(), (std::vector<std::string>{"map.json", "run"}));
}

/// What torch.save wrote is told with the way out, in either of its forms.
TEST_F(CliImportRefuses, AFileOfTorchSave) {
  for (const std::string start : {"PK\x03\x04", "\x80\x02\x8a\x0a", "\x80\x02}q"}) {
    put_file(folder_ / "weights.pt", start + std::string(100, 'x'));
    const Outcome outcome =
        heddle_call({"import", folder_ / "weights.pt", "--map",
                     golden_import_path("adder_map.json"), "--out", folder_ / "new"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_TRUE(outcome.one_line() && holds(outcome.err, "save_file(")) << outcome.err;
  }
}

TEST_F(CliImportRefuses, AFolderThatHoldsSomethingElse) {
  const auto same = [](Json&) {};
  ASSERT_EQ(heddle_call(tiny_training(folder_ / "run")).code, 0);
  const std::string model = file_bytes(folder_ / "run/model.safetensors");
  const Outcome outcome = import_with(same);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(outcome.one_line() && holds(outcome.err, "holds a training")) << outcome.err;
  EXPECT_EQ(file_bytes(folder_ / "run/model.safetensors"), model);
  EXPECT_EQ(heddle_call({"import", "w", "--map", "m", "--out", ""}).code, 2);
  EXPECT_EQ(heddle_call({"import", "w", "--out", folder_ / "run"}).code, 2);
}

/// A disk that is full leaves nothing behind.
TEST_F(CliImportRefuses, AFullDisk) {
  const Outcome outcome = import_with([](Json&) {}, {}, {.most_file_bytes = 20'000});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(outcome.one_line()) << outcome.err;
  expect_no_run();
}

}  // namespace
}  // namespace heddle
