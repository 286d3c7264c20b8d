// A part of a report draws the same for a study's member and for a single run.
#include <algorithm>
#include <regex>

#include <gtest/gtest.h>

#include "heddle/report/addition/document.hpp"
#include "heddle/report/document/markdown.hpp"
#include "heddle/report/document/page.hpp"
#include "heddle/report/parts/pruning.hpp"
#include "heddle/report/run/document.hpp"
#include "tests/support/report/study_fixture.hpp"

namespace heddle::report {
namespace {

/// Each block of a section as the page has it, places in results.json told from the member.
std::vector<std::string> blocks_of(const Section& section) {
  static const std::regex kMember(R"(members\.0\.)");
  static const std::regex kFile(R"re(<a href="[^"]*\.svg">)re");
  std::vector<std::string> blocks;
  for (const Block& block : section.blocks) {
    const std::string html =
        page({.title = "", .sections = {{.id = "one", .title = "", .blocks = {block}}}});
    const std::size_t start = html.find("<section id=\"one\"");
    const std::string part = html.substr(start, html.find("</main>", start) - start);
    blocks.push_back(
        std::regex_replace(std::regex_replace(part, kMember, ""), kFile, "<a href=\"FILE\">"));
  }
  return blocks;
}

struct Both {
  AdditionStudy study = heddle::testing::study_fixture(1);
  RunRecord run;

  Both() { run.member = study.members.front(); }
};

/// Every block of the run's section stands in the study's, in the same order.
void expect_same(const Section& of_study, const Section& of_run, std::size_t least) {
  const auto study = blocks_of(of_study), run = blocks_of(of_run);
  EXPECT_GE(run.size(), least);
  auto from = study.begin();
  for (const std::string& block : run) {
    const auto found = std::find(from, study.end(), block);
    EXPECT_NE(found, study.end()) << block.substr(0, 400);
    if (found != study.end()) from = found + 1;
  }
}

TEST(ReportParts, AttentionAblationAndRolesDrawAlikeForAMemberAndForARun) {
  const Both both;
  const AdditionSource study(both.study);
  const RunSource run(both.run);
  expect_same(attention_section(study), run_attention_section(run), 3);
  expect_same(ablation_section(study), run_ablation_section(run), 7);
  expect_same(roles_section(study), run_roles_section(run), 3);
}

TEST(ReportParts, SmallerModelsHaveOneTable) {
  Both both;
  both.run.pruning.models = both.study.members.front().pruning.smaller;
  ASSERT_FALSE(both.run.pruning.models.empty());
  const AdditionSource study(both.study);
  const RunSource run(both.run);
  std::vector<SmallerRow> members, models;
  for (const SmallerModel& model : both.study.members.front().pruning.smaller)
    members.push_back({.owner = {}, .model = &model});
  for (const SmallerModel& model : both.run.pruning.models)
    models.push_back({.owner = {}, .model = &model});
  const auto text = [](Table table) {
    return markdown(
        {.title = "", .sections = {{.id = "one", .title = "", .blocks = {std::move(table)}}}});
  };
  EXPECT_EQ(text(smaller_table(study, {}, members)), text(smaller_table(run, {}, models)));
}

TEST(ReportParts, WhatWasNotMeasuredIsLeftOut) {
  Both both;
  both.run.member.ablation = {};
  both.run.member.specialisation = {};
  both.run.member.pictures.clear();
  const RunSource run(both.run);
  EXPECT_TRUE(run_attention_section(run).blocks.empty());
  EXPECT_TRUE(run_ablation_section(run).blocks.empty());
  EXPECT_TRUE(run_roles_section(run).blocks.empty());
}

TEST(ReportParts, HeadsAreRankedByAModeThatWasMeasured) {
  Both both;
  std::erase_if(both.run.member.ablation.heads,
                [](const Effect& effect) { return effect.mode != AblationMode::zero; });
  const RunSource run(both.run);
  std::string text;
  for (const std::string& block : blocks_of(run_ablation_section(run))) text += block;
  EXPECT_NE(text.find("is replaced by zero. The intact"), std::string::npos);
  EXPECT_EQ(text.find("resample (points)"), std::string::npos);
  EXPECT_NE(text.find("Every head, ranked"), std::string::npos);
}

}  // namespace
}  // namespace heddle::report
