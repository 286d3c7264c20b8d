// heddle report and heddle attend, called as a user does.
#include <filesystem>

#include <gtest/gtest.h>

#include "heddle/base/json.hpp"
#include "heddle/base/text.hpp"
#include "heddle/record/tree.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/print_json.hpp"
#include "tests/support/report/sortedness_fixture.hpp"
#include "tests/support/report/study_fixture.hpp"

namespace heddle {
namespace {

TEST(CliReport, DrawsAStudyAnewAndSaysWhere) {
  const TempFolder folder;
  put_file(folder / "results.json", to_tree(testing::study_fixture(1)).dump());
  const Outcome text = heddle_call({"report", folder.path()});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_NE(text.out.find("index.html: 2 members"), std::string::npos) << text.out;
  const std::string before = file_bytes(folder / "index.html");
  const Outcome json = heddle_call({"report", folder.path(), "--json"});
  EXPECT_GT(Json::parse(json.out)["files"].size(), 20u);
  EXPECT_TRUE(before == file_bytes(folder / "index.html")) << "the same results, other bytes";
}

TEST(CliReport, KnowsWhichStudyItDraws) {
  const TempFolder folder;
  put_file(folder / "results.json", to_tree(testing::sortedness_fixture(1)).dump());
  const Outcome text = heddle_call({"report", folder.path()});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_NE(text.out.find("index.html: 9 members"), std::string::npos) << text.out;
  EXPECT_EQ(heddle_call({"report", folder.path(), "--check"}).code, 0);
  std::string page = file_bytes(folder / "index.html");
  const std::size_t at = page.find(">4,096<");
  ASSERT_NE(at, std::string::npos);
  put_file(folder / "index.html", page.replace(at, 7, ">4,095<"));
  const Outcome caught = heddle_call({"report", folder.path(), "--check"});
  EXPECT_EQ(caught.code, 1);
  EXPECT_NE(caught.err.find("4,095"), std::string::npos) << caught.err;
}

TEST(CliReport, ChecksTheNumbersThatTheScriptReads) {
  const TempFolder folder;
  put_file(folder / "results.json", to_tree(testing::study_fixture(1)).dump());
  ASSERT_EQ(heddle_call({"report", folder.path()}).code, 0);
  ASSERT_EQ(heddle_call({"report", folder.path(), "--check"}).code, 0);
  std::string page = file_bytes(folder / "index.html");
  const std::string from = R"("heads_left":[24,)";
  const std::size_t at = page.find(from);
  ASSERT_NE(at, std::string::npos);
  put_file(folder / "index.html", page.replace(at, from.size(), R"("heads_left":[23,)"));
  const Outcome caught = heddle_call({"report", folder.path(), "--check"});
  EXPECT_EQ(caught.code, 1);
  EXPECT_NE(caught.err.find("members.0.pruning.curves.0.points.heads_left"), std::string::npos)
      << caught.err;
}

TEST(CliReport, ChecksTheNumbersInFigures) {
  const TempFolder folder;
  put_file(folder / "results.json", to_tree(testing::study_fixture(1)).dump());
  ASSERT_EQ(heddle_call({"report", folder.path()}).code, 0);
  ASSERT_EQ(heddle_call({"report", folder.path(), "--check"}).code, 0);
  const std::string path = folder / "figures/defect.svg";
  std::string figure = file_bytes(path);
  const std::size_t at = figure.find("39.60 %</tspan>");
  ASSERT_NE(at, std::string::npos);
  put_file(path, figure.replace(at, 5, "39.61"));
  const Outcome caught = heddle_call({"report", folder.path(), "--check"});
  EXPECT_EQ(caught.code, 1);
  EXPECT_NE(caught.err.find("figures/defect.svg: '39.61 %' should be"), std::string::npos)
      << caught.err;
}

/// What a report suggests can be done; what cannot be done is not suggested.
TEST(CliReport, OfAFileWithNothingHeldOutSaysSoAndSuggestsNothing) {
  const TempFolder folder;
  put_file(folder / "four.csv",
           "input,output,split\na b c,c b a,train\nb a d,d a b,train\nc d a,a d c,train\n");
  const std::string run = folder / "run";
  const Outcome trained =
      heddle_call({"train", "file:" + folder.path() + "/four.csv", "--set", "steps=4", "batch=4",
                   "d_model=8", "d_ff=8", "heads=2", "--out", run});
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_NE(trained.err.find("none: nothing is held out"), std::string::npos) << trained.err;
  EXPECT_NE(trained.out.find(" report "), std::string::npos) << "eval would refuse";
  const Outcome scored = heddle_call({"eval", run});
  EXPECT_EQ(scored.code, 2);
  EXPECT_TRUE(scored.one_line()) << scored.err;
  const Outcome asked = heddle_call({"ask", run, "a b c"});
  EXPECT_EQ(asked.code, 0);
  EXPECT_EQ(asked.err, quote_path(folder / "four.csv") +
                           " holds nothing out to ask: which heads mattered cannot be measured\n");
  const Outcome drawn = heddle_call({"report", run});
  EXPECT_EQ(drawn.code, 0);
  EXPECT_NE(drawn.err.find("four.csv' holds nothing out to ask\n"), std::string::npos) << drawn.err;
  EXPECT_EQ(drawn.err.find("heddle ablate"), std::string::npos);
  EXPECT_EQ(heddle_call({"report", run, "--check"}).code, 0);
  std::filesystem::rename(folder / "four.csv", folder / "gone.csv");
  EXPECT_NE(heddle_call({"report", run}).err.find("four.csv' is not there\n"), std::string::npos);
}

TEST(CliReport, StudiesOfDifferentTasksAreNotCompared) {
  const TempFolder folder, other;
  put_file(folder / "results.json", to_tree(testing::sortedness_fixture(1)).dump());
  put_file(other / "results.json", to_tree(testing::study_fixture(1)).dump());
  const Outcome mixed = heddle_call({"report", folder.path(), other.path()});
  EXPECT_EQ(mixed.code, 2);
  EXPECT_TRUE(mixed.one_line()) << mixed.err;
  const Outcome same = heddle_call({"report", folder.path(), folder.path()});
  EXPECT_EQ(same.code, 0) << same.err;
  EXPECT_NE(same.out.find("learned in range"), std::string::npos) << same.out;
}

TEST(CliReport, WhatIsNoStudyIsOneLine) {
  const TempFolder folder;
  const Outcome missing = heddle_call({"report", folder.path()});
  EXPECT_EQ(missing.code, 1);
  EXPECT_TRUE(missing.one_line()) << missing.err;
  put_file(folder / "results.json", "[1, 2");
  const Outcome cut = heddle_call({"report", folder.path()});
  EXPECT_EQ(cut.code, 1);
  EXPECT_TRUE(cut.one_line()) << cut.err;
  EXPECT_EQ(folder.names(), std::vector<std::string>{"results.json"});
}

TEST(CliReport, TwoStudiesStandSideBySide) {
  const TempFolder folder;
  AdditionStudy study = testing::study_fixture(1);
  put_file(folder / "results.json", to_tree(study).dump());
  const TempFolder other;
  study.populations[0].circuit[0].low = 0.95;
  study.populations[0].circuit[0].high = 0.99;
  put_file(other / "results.json", to_tree(study).dump());
  const Outcome text = heddle_call({"report", folder.path(), other.path()});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_NE(text.out.find("intervals apart"), std::string::npos) << text.out;
  EXPECT_EQ(folder.names(), std::vector<std::string>{"results.json"})
      << "a comparison writes nothing";
}

TEST(CliAttend, ShowsDrawsAndRefuses) {
  const TempFolder folder;
  const std::string run = folder / "run";
  ASSERT_EQ(heddle_call(tiny_training(run)).code, 0);
  const Outcome text = heddle_call({"attend", run, "3+4", "--module", "decoder.0.self"});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_NE(text.out.find("Decoder L0 self H1"), std::string::npos) << text.out;
  EXPECT_EQ(text.out.find("Encoder"), std::string::npos);
  const Outcome drawn = heddle_call({"attend", run, "3+4", "--out", folder / "a.svg"});
  EXPECT_EQ(drawn.code, 0) << drawn.err;
  EXPECT_NE(file_bytes(folder / "a.svg").find("Decoder L1 cross H1"), std::string::npos);
  const Outcome json = heddle_call({"attend", run, "3+4", "--head", "1", "--json"});
  const Json parsed = Json::parse(json.out);
  for (const Json& module : parsed.at("picture").at("modules")) {
    EXPECT_EQ(module["heads"], 1);
    EXPECT_EQ(module["weights"].size(),
              module["queries"].get<std::size_t>() * module["keys"].get<std::size_t>());
  }
  for (const std::vector<std::string>& wrong :
       {std::vector<std::string>{"--module", "encoder.9.self"}, {"--head", "2"}}) {
    std::vector<std::string> words{"attend", run, "3+4"};
    words.insert(words.end(), wrong.begin(), wrong.end());
    const Outcome refused = heddle_call(words);
    EXPECT_EQ(refused.code, 2);
    EXPECT_TRUE(refused.one_line()) << refused.err;
  }
}

}  // namespace
}  // namespace heddle
