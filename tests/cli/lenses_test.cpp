// Every lens on every form of task: an encoder-decoder with padded questions, a classifier that
// follows a rule, one from a user's file, and a sorter.
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "heddle/base/json.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/holds.hpp"
#include "tests/support/print_json.hpp"

namespace heddle {
namespace {

using heddle::Json;

using Words = std::vector<std::string>;

/// "the film was good,happy": the label is told by one word of eight.
std::string mood_file() {
  const Words plain{"the", "film", "was", "so", "day"}, good{"good", "fine"}, bad{"bad", "grim"};
  std::string text = "input,label\n";
  for (std::size_t i = 0; i < 300; ++i) {
    const bool happy = i % 2 == 0;
    Words words;
    for (std::size_t k = 0; k < 3 + i % 3; ++k) words.push_back(plain[(i / (k + 1) + 2 * k) % 5]);
    words[i % words.size()] = (happy ? good : bad)[i / 2 % 2];
    words.push_back(plain[i / 7 % 5]);
    words.push_back(plain[i / 35 % 5]);
    for (const std::string& word : words) text += word + " ";
    text.back() = ',';
    text += happy ? "happy\n" : "sad\n";
  }
  return text;
}

class CliLenses : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TempFolder;
    put_file(at("mood.csv"), mood_file());
    train("reverse", "reverse", {"symbols=5", "lengths=2-4", "steps=250"});
    train("modular", "modular", {"modulus=7", "steps=60", "layers=2"});
    train("file:" + at("mood.csv"), "mood", {"steps=120"});
    train("sortedness", "sorter", {"steps=40", "lengths=4-8"});
  }
  static void TearDownTestSuite() { delete folder_; }

  static void train(const std::string& task, const std::string& run, const Words& settings) {
    Words words{"train",   task,      "--out",    at(run),   "--set",        "d_model=16",
                "d_ff=32", "heads=2", "batch=32", "lr=0.01", "eval_every=40"};
    words.insert(words.end(), settings.begin(), settings.end());
    const Outcome outcome = heddle_call(words);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  static std::string at(const std::string& name) { return *folder_ / name; }
  static Json json_of(Words words) {
    words.emplace_back("--json");
    const Outcome outcome = heddle_call(words);
    EXPECT_EQ(outcome.code, 0) << words[0] << ": " << outcome.err;
    return outcome.code == 0 ? Json::parse(outcome.out) : Json::object();
  }
  /// A question of each task, by the name of its run.
  static std::vector<std::pair<std::string, std::string>> questions() {
    return {{"reverse", "0 4 1"},
            {"modular", "3 5"},
            {"mood", "the film was grim day day"},
            {"sorter", "3 5 5 9 20"}};
  }
  static void expect_refused(const Words& words, int code, const std::string& says) {
    const Outcome outcome = heddle_call(words);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_TRUE(outcome.one_line()) << outcome.err;
    EXPECT_TRUE(holds(outcome.err, says)) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }

  static TempFolder* folder_;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
};
TempFolder* CliLenses::folder_ = nullptr;  // NOLINT

/// The numbers of one array in an .npz file, whose members are stored as they are.
template <class T>
std::vector<T> array_of(const std::string& path, const std::string& name) {
  const std::string bytes = file_bytes(path);
  const std::size_t found = bytes.find(name + ".npy");
  if (found == std::string::npos) return {};
  const std::size_t at = bytes.find("\x93NUMPY", found);
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[at + i]); };
  const std::size_t header = 10U + byte(8) + 256U * byte(9);
  const std::string text = bytes.substr(at, header);
  std::size_t count = 1;
  for (std::size_t i = text.find('(') + 1; text[i] != ')';) {
    count *= std::stoul(text.substr(i));
    i = text.find_first_of(",)", i);
    i = text[i] == ')' ? i : text.find_first_not_of(", ", i);
  }
  std::vector<T> numbers(count);
  std::memcpy(numbers.data(), bytes.data() + at + header, count * sizeof(T));
  return numbers;
}

/// Its pooling attends too, but from no token: it has no map among the attentions.
TEST_F(CliLenses, ASorterThatPoolsByAttentionIsLookedAtLikeAnyOther) {
  train("sortedness", "pooler", {"steps=2", "lengths=4-8", "pooling=attention", "layers=2"});
  const Json modules = json_of({"attend", at("pooler"), "3 5 5 9"}).at("picture").at("modules");
  ASSERT_EQ(modules.size(), 2U);
  EXPECT_EQ(modules[1].at("module"), "encoder.1.self");
  const Json asked = json_of({"ask", at("pooler"), "3 5 5 9"});
  EXPECT_EQ(asked.at("attention").size(), 2U);
  EXPECT_EQ(asked.at("heads").size(), 4U);
  EXPECT_EQ(asked.at("tokens").at("said"), Json({asked.at("output")}));
}

TEST_F(CliLenses, AttentionRowsSumToOneOverRealTokens) {
  for (const auto& [run, question] : questions()) {
    const Json picture = json_of({"attend", at(run), question}).at("picture");
    EXPECT_EQ(picture.at("name"), question);
    const std::size_t source = picture.at("source").size();
    EXPECT_GE(source, 2U);
    for (const Json& module : picture.at("modules")) {
      const auto keys = module.at("keys").get<std::size_t>();
      const bool encoder = module.at("module").get<std::string>().starts_with("encoder");
      EXPECT_TRUE(!encoder || keys == source) << run;
      const auto weights = module.at("weights").get<std::vector<double>>();
      for (std::size_t row = 0; row * keys < weights.size(); ++row) {
        double sum = 0;
        for (std::size_t k = 0; k < keys; ++k) sum += weights[row * keys + k];
        EXPECT_NEAR(sum, 1, 1e-5) << run;
      }
    }
    const Outcome text = heddle_call({"attend", at(run), question});
    EXPECT_TRUE(text.out.starts_with(question + " → ")) << text.out;
    const Outcome drawn = heddle_call({"attend", at(run), question, "--out", at("a.svg")});
    EXPECT_EQ(drawn.code, 0) << drawn.err;
    EXPECT_TRUE(holds(file_bytes(at("a.svg")), "Encoder L0 H1"));
  }
  EXPECT_EQ(json_of({"attend", at("mood"), "the film was grim"}).at("picture").at("source"),
            Json({"the", "film", "was", "grim"}));
}

TEST_F(CliLenses, AskTellsWhatIsKnown) {
  const Json rule = json_of({"ask", at("reverse"), "0 4 1"});
  EXPECT_EQ(rule.at("expected"), "1 4 0");
  EXPECT_EQ(rule.at("correct"), rule.at("output") == "1 4 0");
  EXPECT_EQ(rule.at("tokens").at("target")[0], "BOS");
  EXPECT_EQ(rule.at("heads").size(), 12U);
  EXPECT_EQ(rule.at("logits").size(), rule.at("tokens").at("said").size());
  const Json label = json_of({"ask", at("modular"), "3 5"});
  EXPECT_EQ(label.at("expected"), "1");
  EXPECT_EQ(label.at("logits")[0].size(), 7U);
  EXPECT_TRUE(label.at("tokens").at("target").empty());
  const std::string odd = "grim the the the grim film";
  const Json unknown = json_of({"ask", at("mood"), odd});
  EXPECT_TRUE(unknown.at("expected").is_null() && unknown.at("correct").is_null());
  EXPECT_EQ(unknown.at("heads").size(), 4U);
  EXPECT_TRUE(holds(heddle_call({"ask", at("mood"), odd}).out, "not known"));
  const Json told = json_of({"ask", at("mood"), odd, "--answer", "happy"});
  EXPECT_EQ(told.at("expected"), "happy");
  EXPECT_EQ(told.at("correct"), told.at("output") == "happy");
  // What a head loses of the margin of "sad" it gives to "happy".
  const Json other = json_of({"ask", at("mood"), odd, "--answer", "sad"});
  EXPECT_NEAR(told.at("heads")[0].at("effect").get<double>(),
              -other.at("heads")[3].at("effect").get<double>(), 1e-4);
  expect_refused({"ask", at("mood"), odd, "--answer", "angry"}, 2, "happy, sad");
  expect_refused({"ask", at("reverse"), "0 9"}, 2, "'9'");
  expect_refused({"ask", at("sorter"), "1 2", "--answer", "sorted"}, 2, "--answer");
}

/// A file that trains on everything is there: there is only nothing to take means over.
TEST_F(CliLenses, AskTellsAFileThatHoldsNothingOut) {
  std::string text = "input,label,split\n";
  for (int i = 0; i < 40; ++i)
    text += fmt::format("{} {},{},train\n", i % 4, i % 3, i % 2 == 0 ? "even" : "odd");
  put_file(at("all.csv"), text);
  const Outcome trained = heddle_call({"train", "file:" + at("all.csv"), "--out", at("all"),
                                       "--set", "d_model=16", "d_ff=16", "heads=2", "steps=2"});
  EXPECT_EQ(trained.code, 0) << trained.err;
  EXPECT_TRUE(holds(trained.err, "test        none") || holds(trained.err, " none\n"))
      << trained.err;
  EXPECT_FALSE(holds(trained.err, "fresh ones")) << trained.err;
  const Outcome asked = heddle_call({"ask", at("all"), "1 2"});
  EXPECT_EQ(asked.code, 0) << asked.err;
  EXPECT_TRUE(holds(asked.err, "holds nothing out")) << asked.err;
  EXPECT_FALSE(holds(asked.err, "is not there")) << asked.err;
}

/// Other names, other separators and columns of no use: said, remembered, or refused with the way.
TEST_F(CliLenses, ColumnsOfAFileCanBeNamed) {
  std::string text = "Id;Question;Mood\n";
  for (int i = 0; i < 60; ++i)
    text += fmt::format("{};{} {};{}\n", i, i % 7, i % 5, i % 2 == 0 ? "even" : "odd");
  put_file(at("semi.csv"), text);
  const Words train{"train",   "file:" + at("semi.csv"),
                    "--out",   at("semi"),
                    "--set",   "d_model=16",
                    "d_ff=16", "heads=2",
                    "steps=2"};
  const auto with = [&](const std::string& columns) {
    Words words = train;
    words.insert(words.end(), {"--columns", columns});
    return words;
  };
  expect_refused(train, 1, "--columns INPUT,OUTPUT");
  expect_refused(with("question,answer"), 1, "the columns are 'Id', 'Question', 'Mood'");
  for (const char* wrong : {"question", "question,mood,id", "question,label=mood,label=id", ",",
                            "label=mood", "question,mood,label=mood"})
    expect_refused(with(wrong), 2, "accepted is INPUT,OUTPUT");
  const Outcome trained = heddle_call(with("question,label=MOOD"));
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_TRUE(holds(trained.err,
                    "columns, parted by ';': input is 'Question', label is 'Mood'; not read: 'Id'"))
      << trained.err;
  const Outcome asked = heddle_call({"ask", at("semi"), "1 2"});
  EXPECT_EQ(asked.code, 0) << asked.err;
  EXPECT_EQ(heddle_call({"eval", at("semi")}).code, 0);
  expect_refused({"train", at("semi.csv"), "--out", at("other")}, 2,
                 "did you mean 'file:" + at("semi.csv") + "'?");
  put_file(at("lines.jsonl"), R"({"input": "1 2", "label": "a"})"
                              "\n");
  expect_refused({"train", "file:" + at("lines.jsonl"), "--columns", "a,b", "--out", at("other")},
                 2, "no columns");
}

/// What the run keeps of its file is enough to be asked.
TEST_F(CliLenses, AskWorksWithoutTheFile) {
  const std::string file = file_bytes(at("mood.csv"));
  std::filesystem::remove(at("mood.csv"));
  const Outcome asked = heddle_call({"ask", at("mood"), "the film was grim"});
  EXPECT_EQ(asked.code, 0) << asked.err;
  EXPECT_TRUE(holds(asked.err, "is not there")) << asked.err;
  EXPECT_EQ(heddle_call({"attend", at("mood"), "the film was grim"}).code, 0);
  EXPECT_EQ(heddle_call({"specialise", at("mood")}).code, 1);
  put_file(at("mood.csv"), file);
}

/// result = z · w_o, head by head; no weight on padding.
TEST_F(CliLenses, CapturedArraysFitTogether) {
  constexpr std::size_t kHeads = 2, kWidth = 8, kModel = 16;
  for (const std::string run : {"reverse", "mood", "modular", "sorter"}) {
    const std::string out = at(run + ".npz");
    const Json json = json_of(
        {"capture", at(run), "test", "--limit", "12", "--tap", "encoder.0.self.*", "--out", out});
    const auto z = array_of<float>(out, "encoder.0.self.z"),
               w = array_of<float>(out, "encoder.0.self.w_o"),
               result = array_of<float>(out, "encoder.0.self.result");
    ASSERT_EQ(result.size(), z.size() / kWidth * kModel) << run;
    for (std::size_t row = 0; row < z.size() / kWidth; ++row)
      for (std::size_t j = 0; j < kModel; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < kWidth; ++k)
          sum += static_cast<double>(z[row * kWidth + k]) *
                 static_cast<double>(w[(row % kHeads * kWidth + k) * kModel + j]);
        ASSERT_NEAR(sum, static_cast<double>(result[row * kModel + j]), 1e-5) << run;
      }
    const auto tokens = array_of<std::int32_t>(out, "tokens.source");
    const auto pattern = array_of<float>(out, "encoder.0.self.pattern");
    auto valid = array_of<std::int32_t>(out, "valid.source");
    EXPECT_EQ(valid.empty(), run == "modular") << run;
    EXPECT_EQ(array_of<std::int32_t>(out, "tokens.target").empty(), run != "reverse");
    const auto inputs = json.at("inputs").get<std::size_t>();
    const std::size_t length = tokens.size() / inputs;
    if (valid.empty()) valid.assign(tokens.size(), 1);
    ASSERT_EQ(pattern.size(), inputs * kHeads * length * length) << run;
    for (std::size_t i = 0; i < pattern.size(); i += length) {
      const std::size_t input = i / (kHeads * length * length);
      if (valid[input * length + i / length % length] == 0) continue;  // a query that is none
      double sum = 0;
      for (std::size_t k = 0; k < length; ++k)
        if (valid[input * length + k] == 1) sum += static_cast<double>(pattern[i + k]);
      ASSERT_NEAR(sum, 1, 1e-5) << run;
    }
  }
}

TEST_F(CliLenses, CaptureTakesTypedQuestionsAndFiles) {
  const Json typed =
      json_of({"capture", at("reverse"), "0 4 1;2 3", "--tap", "**.pattern", "--out", at("a.npz")});
  EXPECT_EQ(typed.at("inputs"), 2);
  EXPECT_EQ(typed.at("arrays")[0].at("shape"), Json({2, 2, 3, 3}));
  EXPECT_EQ(array_of<std::int32_t>(at("a.npz"), "valid.source"),
            (std::vector<std::int32_t>{1, 1, 1, 1, 1, 0}));
  // "<U3": the ids of tokens.source lead to digits and to PAD, BOS, EOS.
  const std::vector<char32_t> words = array_of<char32_t>(at("a.npz"), "tokens.words");
  ASSERT_EQ(words.size(), 8U) << "five symbols and three control tokens";
  EXPECT_EQ(words[0], U'0');
  EXPECT_EQ(words[3], U'1');
  put_file(at("questions"), "the film\n\nwas grim day\n");
  EXPECT_EQ(json_of({"capture", at("mood"), "@" + at("questions"), "--tap", "logits", "--out",
                     at("a.npz")})
                .at("inputs"),
            2);
  put_file(at("questions"), "the film\nwas horrid\n");
  expect_refused(
      {"capture", at("mood"), "@" + at("questions"), "--tap", "logits", "--out", at("a.npz")}, 2,
      "line 2: 'horrid'");
}

TEST_F(CliLenses, SpecialiseMeasuresEveryHead) {
  for (const auto& [run, question] : questions()) {
    const Json json = json_of({"specialise", at(run), "--limit", "30"});
    EXPECT_EQ(json.at("roles").size(), run == "reverse" ? 12U : 4U) << run;
    for (const Json& measure : json.at("measures")) {
      EXPECT_GE(measure.at("value").get<double>(), -1e-6) << run << measure;
      EXPECT_LE(measure.at("value").get<double>(), 1 + 1e-6) << run << measure;
    }
    EXPECT_TRUE(holds(heddle_call({"specialise", at(run)}).out, "a uniform head")) << run;
  }
  EXPECT_EQ(json_of({"specialise", at("reverse"), "--limit", "30"}).at("problems"), 30);
}

TEST_F(CliLenses, TapsAreListedForEveryTask) {
  for (const auto& [run, question] : questions())
    EXPECT_TRUE(holds(heddle_call({"taps", at(run)}).out, "encoder.0.self.head.1")) << run;
}

const Json& effect_at(const Json& list, const std::string& place, int position) {
  for (const Json& effect : list)
    if (effect.at("place") == place && effect.at("position") == position) return effect;
  throw std::runtime_error("no effect at " + place);
}

/// Where the inputs differ in one place, its embedding decides everything; the others nothing. The
/// control is a itself and moves nothing.
TEST_F(CliLenses, PatchingTheOnlyDifferenceMovesEverything) {
  std::string words = "a,b,control\n", moods = "a,b,answer_a,answer_b\n";
  for (int i = 0; i < 20; ++i) {
    const std::string start = std::to_string(i % 5) + " " + std::to_string(i / 2 % 5) + " ";
    const std::string a = start + std::to_string(i % 4);
    words += a + "," + start + std::to_string(i % 4 + 1) + "," + a + "\n";
    moods += i % 2 == 0 ? "the film was good so day,the film was grim so day,happy,sad\n"
                        : "so day was fine the the,so day was bad the the,happy,sad\n";
  }
  put_file(at("words.csv"), words);
  put_file(at("moods.csv"), moods);
  for (const std::string run : {"reverse", "mood"}) {
    const std::string file = at(run == "reverse" ? "words.csv" : "moods.csv");
    const Json json = json_of({"patch", at(run), "--pairs", file});
    EXPECT_EQ(json.at("pairs"), 20);
    ASSERT_EQ(json.at("told_apart"), true) << run;
    EXPECT_EQ(json.at("heads").size(), run == "reverse" ? 12U : 4U);
    const int last = run == "reverse" ? 2 : 5;
    const int changed = run == "reverse" ? 2 : 3;
    for (int position = 0; position <= last; ++position) {
      const Json& effect = effect_at(json.at("stream"), "encoder.embed.out", position);
      EXPECT_NEAR(effect.at("effect").get<double>(), position == changed ? 1 : 0, 1e-4) << run;
      const Json& control = effect.at("control");
      EXPECT_EQ(control.is_null(), run == "mood");  // its pairs have none
      EXPECT_NEAR(control.is_null() ? 0 : control.get<double>(), 0, 1e-4);
    }
    const Outcome text = heddle_call({"patch", at(run), "--pairs", file});
    EXPECT_TRUE(holds(text.out, "20 pairs")) << text.out;
    EXPECT_EQ(holds(text.out, "control"), run == "reverse") << text.out;
  }
}

/// Pairs of different lengths have no common positions, but heads all the same.
TEST_F(CliLenses, PairsMayHaveDifferentLengths) {
  put_file(at("uneven.csv"), "a,b\n0 1,0 2\n0 1 2,0 1 3\n3 3 1 0,3 3 1 2\n");
  const Json json = json_of({"patch", at("reverse"), "--pairs", at("uneven.csv")});
  for (const Json& effect : json.at("stream")) {
    const bool encoder = effect.at("place").get<std::string>().starts_with("encoder");
    EXPECT_EQ(effect.at("position") == -1, encoder) << effect;
  }
  put_file(at("sorted.csv"), "a,b\n1 2 3,1 2 0\n4 5 9,4 5 2\n");
  EXPECT_EQ(heddle_call({"patch", at("sorter"), "--pairs", at("sorted.csv")}).code, 0);
  put_file(at("sums.csv"), "a,b\n1 2,1 3\n4 5,4 4\n");
  EXPECT_EQ(json_of({"patch", at("modular"), "--pairs", at("sums.csv")}).at("stream").size(), 6U);
}

TEST_F(CliLenses, PatchSaysWhatIsWrongWithAPair) {
  const auto refuse = [&](const std::string& run, const std::string& csv, const std::string& says) {
    put_file(at("wrong.csv"), csv);
    expect_refused({"patch", at(run), "--pairs", at("wrong.csv")}, 1, says);
  };
  refuse("reverse", "a,b\n0 1,0 2\n0 1 2,0 1\n", "line 3: '0 1 2' has 3 tokens and '0 1' has 2");
  refuse("reverse", "a,b\n0 1,0 1\n0 1,0 2\n",
         "line 2: '0 1' and '0 1' have the same right answer");
  refuse("reverse", "a,b,control\n0 1,0 2,0 1 1\n1 1,1 2,0 0\n", "line 2: ");
  refuse("reverse", "a,b\n0 1,0 7\n", "wrong.csv' has 1 pairs");
  refuse("reverse", "a,b\n0 1,0 7\n0 1,0 2\n", "line 2: '7'");
  refuse("reverse", "a,c\n0 1,0 2\n", "unknown column 'c'");
  refuse("mood", "a,b\nthe grim,the good\nthe grim,the good\n", "answer_a and answer_b");
  for (const char* run : {"reverse", "modular", "mood", "sorter"}) {
    expect_refused({"patch", at(run)}, 2, "--pairs FILE");
    expect_refused({"patch", at(run), "--pairs", "100"}, 2, "a,b");
  }
}

const Json& probe_at(const Json& list, const std::string& tap, int position) {
  for (const Json& probe : list)
    if (probe.at("tap") == tap && probe.at("position") == position) return probe;
  throw std::runtime_error("no probe at " + tap);
}

/// The first token, as a label, stands in the embedding of the first position and nowhere else.
TEST_F(CliLenses, APlantedLabelIsFoundWhereItStands) {
  std::string csv = "input,label\n";
  for (int i = 0; i < 250; ++i) {
    const int first = i % 5;
    csv += std::to_string(first);
    for (int k = 0, rest = i / 5 * 13 + 7; k < 1 + i % 3; ++k, rest /= 5)
      csv.append(" ").append(std::to_string(rest % 5));
    csv += first < 2 ? ",low\n" : first < 4 ? ",middle\n" : ",high\n";
  }
  put_file(at("labels.csv"), csv);
  const Json json = json_of({"probe", at("reverse"), "--labels", at("labels.csv")});
  EXPECT_EQ(json.at("inputs"), 250);
  EXPECT_EQ(json.at("labels").size(), 3U);
  EXPECT_NEAR(json.at("chance").get<double>(), 1.0 / 3, 1e-9);
  const Json& there = probe_at(json.at("probes"), "encoder.embed.out", 0);
  EXPECT_GE(there.at("accuracy").get<double>(), 0.95);
  EXPECT_NEAR(there.at("shuffled").get<double>(), 1.0 / 3, 0.1);
  EXPECT_NEAR(there.at("majority").get<double>(), 0.4, 1e-9);
  EXPECT_LE(probe_at(json.at("probes"), "encoder.embed.out", 1).at("accuracy").get<double>(), 0.6);
  // All inputs have two tokens, some have four: two positions and the mean.
  EXPECT_NO_THROW(probe_at(json.at("probes"), "encoder.embed.out", -1));
  EXPECT_THROW(probe_at(json.at("probes"), "encoder.embed.out", 2), std::runtime_error);
  const Outcome text = heddle_call({"probe", at("reverse"), "--labels", at("labels.csv")});
  EXPECT_TRUE(holds(text.out, "encoder.embed.out")) << text.out;
}

TEST_F(CliLenses, ProbesWorkOnEveryTaskAndSayWhatIsWrong) {
  put_file(at("mood_labels.csv"),
           "input,label\nthe film was,3\nfilm the day,3\nso so day,3\nthe film,2\nso so,2\n");
  EXPECT_EQ(json_of({"probe", at("mood"), "--labels", at("mood_labels.csv")}).at("inputs"), 5);
  put_file(at("sum_labels.csv"), "input,label\n1 2,a\n2 1,b\n3 4,a\n4 3,b\n");
  EXPECT_EQ(json_of({"probe", at("modular"), "--labels", at("sum_labels.csv")}).at("inputs"), 4);
  put_file(at("sort_labels.csv"), "input,label\n1 2 7,a\n2 1,b\n3 4,a\n4 3,b\n");
  EXPECT_EQ(json_of({"probe", at("sorter"), "--labels", at("sort_labels.csv")}).at("inputs"), 4);
  const auto refuse = [&](const std::string& run, const std::string& csv, const std::string& says) {
    put_file(at("wrong.csv"), csv);
    expect_refused({"probe", at(run), "--labels", at("wrong.csv")}, 1, says);
  };
  refuse("mood", "input,label\nthe film,a\nthe horrid,b\n", "line 3: 'horrid'");
  refuse("mood", "input,label\nthe film,a\nthe day,a\n", "1 different label");
  refuse("mood", "input,label\nthe film,a\nthe day,a\nso,b\n", "label 'b'");
  refuse("mood", "input\nthe film\n", "no column 'label'");
  expect_refused({"probe", at("mood")}, 2, "--labels FILE");
}

}  // namespace
}  // namespace heddle
