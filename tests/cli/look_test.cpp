// The commands that look at a run: eval, ask, specialise, taps, capture.
#include <cstring>

#include <gtest/gtest.h>

#include "heddle/base/json.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/holds.hpp"
#include "tests/support/print_json.hpp"

namespace heddle {
namespace {

using heddle::Json;

/// One tiny member for all of them.
class CliLook : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TempFolder;
    run_ = *folder_ / "run";
    ASSERT_EQ(heddle_call(tiny_training(run_)).code, 0);
  }
  static void TearDownTestSuite() { delete folder_; }

  static Json json_of(std::vector<std::string> words) {
    words.emplace_back("--json");
    const Outcome outcome = heddle_call(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out);
  }

  static TempFolder* folder_;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
  static std::string run_;     // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
};
TempFolder* CliLook::folder_ = nullptr;  // NOLINT
std::string CliLook::run_;               // NOLINT

TEST_F(CliLook, EvalScoresTheTestSplit) {
  const Json json = json_of({"eval", run_});
  EXPECT_EQ(json.at("task"), "addition");
  EXPECT_EQ(json.at("run"), run_);
  EXPECT_EQ(json.at("set"), "test");
  EXPECT_EQ(json.at("greedy").at("total"), 11);
  EXPECT_EQ(json.at("greedy"), json.at("teacher_forced"));
  EXPECT_EQ(json.at("teacher_forced_tokens").at("total"), 33);
  EXPECT_EQ(json.at("seen").at("total"), 0);  // test pairs never train
  EXPECT_EQ(json.at("by_carries").size(), 2U);
  EXPECT_EQ(json.at("by_digit").size(), 2U);
  const Outcome table = heddle_call({"eval", run_});
  EXPECT_TRUE(holds(table.out, "95 % interval")) << table.out;
}

TEST_F(CliLook, CensusScoresEveryPair) {
  const Json json = json_of({"eval", run_, "--census"});
  EXPECT_EQ(json.at("set"), "census");
  EXPECT_EQ(json.at("greedy").at("total"), 100);
  EXPECT_EQ(json.at("by_carries")[1].at("total"), 45);
  EXPECT_EQ(json.at("seen").at("total").get<int>() + json.at("unseen").at("total").get<int>(), 100);
  const Outcome table = heddle_call({"eval", run_, "--census"});
  EXPECT_TRUE(holds(table.out, "no sampling error")) << table.out;
  EXPECT_FALSE(holds(table.out, "95 % interval")) << table.out;
}

TEST_F(CliLook, AskShowsWhatWasSaid) {
  const Outcome text = heddle_call({"ask", run_, "5+7"});
  EXPECT_EQ(text.code, 0);
  EXPECT_TRUE(text.out.starts_with("5+7 = ")) << text.out;
  const Json json = json_of({"ask", run_, "5 + 7"});
  EXPECT_EQ(json.at("input"), "5+7");
  EXPECT_EQ(json.at("expected"), "12");
  EXPECT_EQ(json.at("logits").size(), 3U);
  EXPECT_EQ(json.at("logits")[0].size(), 14U);
  ASSERT_EQ(json.at("heads").size(), 12U);  // every head, the one that mattered most first
  for (std::size_t i = 1; i < 12; ++i)
    EXPECT_GE(json.at("heads")[i - 1].at("effect"), json.at("heads")[i].at("effect"));
  const Json& attention = json.at("attention");
  EXPECT_EQ(attention.size(), 6U);
  EXPECT_EQ(attention.at("decoder.1.cross").size(), 2U);        // heads
  EXPECT_EQ(attention.at("decoder.1.cross")[0].size(), 3U);     // queries
  EXPECT_EQ(attention.at("decoder.1.cross")[0][0].size(), 3U);  // keys: the source
  double sum = 0;
  for (const double weight : attention.at("encoder.0.self")[1][2]) sum += weight;
  EXPECT_NEAR(sum, 1, 1e-6);
  EXPECT_EQ(attention.at("decoder.0.self")[0][0][1], 0.0);  // causal
}

TEST_F(CliLook, SpecialiseNamesEveryHead) {
  const Json json = json_of({"specialise", run_});
  EXPECT_EQ(json.at("run"), run_);
  EXPECT_EQ(json.at("problems"), 11);
  EXPECT_EQ(json.at("roles").size(), 12U);
  EXPECT_EQ(json.at("roles")[0].at("head"), "encoder.0.self.head.0");
  EXPECT_EQ(json.at("measures")[0].at("measure"), "entropy");
  EXPECT_EQ(json.at("measures")[0].at("uniform"), 1.0);
  EXPECT_EQ(json.at("as_reported").size(), 4U * 3U);  // one digit has no neighbour
  EXPECT_EQ(json_of({"specialise", run_, "--limit", "5"}).at("problems"), 5);
  EXPECT_EQ(heddle_call({"specialise", run_, "--limit", "0"}).code, 2);
  const Outcome text = heddle_call({"specialise", run_});
  for (const char* part : {"11 problems", "a uniform head", "decoder.1.cross.head.1", "role"})
    EXPECT_TRUE(holds(text.out, part)) << text.out;
}

TEST_F(CliLook, WrongWordsAreOneLineAndTwo) {
  const std::vector<std::vector<std::string>> cases{
      {"ask", run_, "5+x"},
      {"ask", run_, "123+4"},
      {"ask", run_, ""},
      {"eval", run_, "--lengths", "8"},
      {"eval", run_, "--kinds", "swaps"},
      {"taps", run_, "encoder.0.self.patern"},
      {"capture", run_, "5+7", "--tap", "encoder.0.slf.z", "--out", *folder_ / "no.npz"},
      {"capture", run_, "5+7,5*7", "--tap", "logits", "--out", *folder_ / "no.npz"},
      {"capture", run_, "test", "--limit", "0", "--tap", "logits", "--out", *folder_ / "no.npz"},
      {"capture", run_, "5+7", "--out", *folder_ / "no.npz"},
  };
  for (const auto& words : cases) {
    const Outcome outcome = heddle_call(words);
    EXPECT_EQ(outcome.code, 2) << words[0] << " " << words[2];
    EXPECT_TRUE(outcome.one_line()) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
  EXPECT_TRUE(holds(heddle_call(cases[5]).err, "encoder.0.self.pattern"));
  EXPECT_FALSE(std::filesystem::exists(*folder_ / "no.npz"));
}

TEST_F(CliLook, TapsHaveNamesAxesAndShapes) {
  const Outcome all = heddle_call({"taps", run_});
  EXPECT_EQ(all.code, 0);
  for (const char* part : {"encoder.0.self.head.1", "decoder.1.cross.w_q", "logits",
                           "[batch, head=2, query=3, key=3]"})
    EXPECT_TRUE(holds(all.out, part)) << part;
  const Json json = json_of({"taps", run_, "**.cross.pattern"});
  ASSERT_EQ(json.at("taps").size(), 2U);
  EXPECT_EQ(json.at("taps")[0].at("name"), "decoder.0.cross.pattern");
  EXPECT_EQ(json.at("taps")[0].at("axes"), Json({"batch", "head", "query", "key"}));
  EXPECT_EQ(json.at("taps")[0].at("shape"), Json({nullptr, 2, 3, 3}));
}

/// The numbers of one array in an .npz file, whose members are stored as they are.
std::vector<float> array_of(const std::string& path, const std::string& name) {
  const std::string bytes = file_bytes(path);
  const std::size_t at = bytes.find("\x93NUMPY", bytes.find(name + ".npy"));
  if (at == std::string::npos) return {};
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[at + i]); };
  const std::size_t header = 10U + byte(8) + 256U * byte(9);
  const std::string text = bytes.substr(at, header);
  std::size_t count = 1;
  for (std::size_t i = text.find('(') + 1; text[i] != ')';) {
    count *= std::stoul(text.substr(i));
    i = text.find_first_of(",)", i);
    i = text[i] == ')' ? i : text.find_first_not_of(", ", i);
  }
  std::vector<float> numbers(count);
  std::memcpy(numbers.data(), bytes.data() + at + header, count * sizeof(float));
  return numbers;
}

TEST_F(CliLook, CaptureEqualsWhatAskShows) {
  const std::string one = *folder_ / "one.npz", many = *folder_ / "many.npz";
  const Json asked = json_of({"ask", run_, "5+7"});
  ASSERT_EQ(heddle_call({"capture", run_, "5+7", "--tap", "logits", "--out", one}).code, 0);
  const std::vector<std::string> several{"capture", run_,         "5+7,1+2,9+9,3+4",
                                         "--tap",   "**.pattern", "--tap",
                                         "logits",  "--tap",      "encoder.0.self.head.1.pattern",
                                         "--tap",   "**.w_q",     "--out",
                                         many};
  ASSERT_EQ(heddle_call(several).code, 0);
  const std::vector<float> alone = array_of(one, "logits"), among = array_of(many, "logits");
  ASSERT_EQ(alone.size(), 3U * 14U);
  ASSERT_EQ(among.size(), 4 * alone.size());
  for (std::size_t i = 0; i < alone.size(); ++i) {
    EXPECT_EQ(alone[i], asked.at("logits")[i / 14][i % 14].get<float>());
    EXPECT_EQ(alone[i], among[i]);
  }
  const std::vector<float> head = array_of(many, "encoder.0.self.head.1.pattern");
  ASSERT_EQ(head.size(), 4U * 9U);
  for (std::size_t i = 0; i < 9; ++i)
    EXPECT_EQ(head[i], asked.at("attention").at("encoder.0.self")[1][i / 3][i % 3].get<float>());
  EXPECT_EQ(array_of(many, "encoder.1.self.w_q").size(), 256U);
}

TEST_F(CliLook, CaptureReadsFilesAndSplits) {
  put_file(*folder_ / "inputs", "5+7\r\n\n1 + 2\n");
  const std::string out = *folder_ / "acts.npz";
  const Json json = json_of({"capture", run_, "@" + (*folder_ / "inputs"), "--tap",
                             "decoder.0.self.head.0", "--out", out});
  EXPECT_EQ(json.at("inputs"), 2);
  EXPECT_EQ(json.at("arrays")[0].at("shape"), Json({2, 3, 8}));
  EXPECT_EQ(json_of({"capture", run_, "test", "--limit", "3", "--tap", "logits", "--out", out})
                .at("inputs"),
            3);
  put_file(*folder_ / "inputs", "5+7\nfive\n");
  const Outcome wrong =
      heddle_call({"capture", run_, "@" + (*folder_ / "inputs"), "--tap", "logits", "--out", out});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(wrong.one_line() && holds(wrong.err, "line 2")) << wrong.err;
}

TEST_F(CliLook, WhatCannotBeReadOrWrittenIsOneLineAndOne) {
  const std::string file = run_ + "/config.json";
  const std::vector<std::vector<std::string>> cases{
      {"eval", *folder_ / "nothing"},
      {"eval", file},
      {"ask", folder_->path(), "5+7"},
      {"taps", *folder_ / "nothing"},
      {"capture", run_, "@" + (*folder_ / "nothing"), "--tap", "logits", "--out", *folder_ / "a"},
      {"capture", run_, "5+7", "--tap", "logits", "--out", file + "/a.npz"},
      {"capture", run_, "5+7", "--tap", "logits", "--out", folder_->path()},
  };
  for (const auto& words : cases) {
    const Outcome outcome = heddle_call(words);
    EXPECT_EQ(outcome.code, 1) << words[0] << " " << words[1];
    EXPECT_TRUE(outcome.one_line()) << outcome.err;
  }
  const Outcome full =
      heddle_call({"capture", run_, "test", "--tap", "**", "--out", *folder_ / "full.npz"},
                  {.most_file_bytes = 4096});
  EXPECT_EQ(full.code, 1);
  EXPECT_TRUE(full.one_line()) << full.err;
  EXPECT_FALSE(std::filesystem::exists(*folder_ / "full.npz"));
}

/// A copy of the run whose checkpoint holds other bytes.
Outcome eval_with(const TempFolder& folder, const std::string& run, const std::string& bytes) {
  const std::string damaged = folder / "damaged";
  std::filesystem::create_directories(damaged);
  std::filesystem::copy_file(run + "/config.json", damaged + "/config.json",
                             std::filesystem::copy_options::overwrite_existing);
  put_file(damaged + "/model.safetensors", bytes);
  return heddle_call({"eval", damaged});
}

TEST_F(CliLook, DamagedCheckpointsAreOneLineAndOne) {
  const std::string sound = file_bytes(run_ + "/model.safetensors");
  std::vector<std::string> damaged{"",
                                   "x",
                                   sound.substr(0, 7),
                                   sound.substr(0, sound.size() / 2),
                                   sound.substr(0, sound.size() - 1),
                                   sound + "x"};
  std::string huge = sound;
  huge.replace(0, 8, std::string("\0\0\0\0\0\0\0\x40", 8));  // a header of 2^62 bytes
  damaged.push_back(huge);
  for (std::size_t place = 0; place < sound.size(); place += 1 + sound.size() / 40) {
    damaged.push_back(sound);
    damaged.back()[place] = static_cast<char>(damaged.back()[place] ^ 4);
  }
  for (const std::string& bytes : damaged) {
    const Outcome outcome = eval_with(*folder_, run_, bytes);
    EXPECT_EQ(outcome.code, 1) << bytes.size() << " bytes";
    EXPECT_TRUE(outcome.one_line()) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
}

TEST_F(CliLook, ACheckpointOfAnotherShapeIsRefused) {
  const std::string other = *folder_ / "other";
  ASSERT_EQ(heddle_call(tiny_training(other, {"--set", "d_model=8"})).code, 0);
  const Outcome outcome = eval_with(*folder_, run_, file_bytes(other + "/model.safetensors"));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(outcome.one_line()) << outcome.err;
}

}  // namespace
}  // namespace heddle
