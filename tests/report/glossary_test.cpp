// The words at the end of every page are those of docs/glossary.md.
#include "heddle/report/document/glossary.hpp"

#include <gtest/gtest.h>

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/report/addition/document.hpp"
#include "heddle/report/run/document.hpp"
#include "heddle/report/sortedness/document.hpp"
#include "heddle/report/sweep/document.hpp"
#include "tests/support/report/sortedness_fixture.hpp"
#include "tests/support/report/study_fixture.hpp"
#include "tests/support/report/sweep_fixture.hpp"

namespace heddle::report {
namespace {

TEST(ReportGlossary, ThePageAndTheDocumentSayTheSame) {
  std::vector<std::string> in_document, in_page;
  for (const std::string& line : split(read_file(HEDDLE_TEST_DATA "/../docs/glossary.md"), '\n'))
    if (line.starts_with("- ")) in_document.push_back(line);
  for (const Term& term : glossary())
    in_page.push_back(fmt::format("- **{}**: {}", term.word, term.meaning));
  EXPECT_EQ(in_document, in_page);
  EXPECT_GE(in_page.size(), 7u);
}

TEST(ReportGlossary, EveryPageEndsWithIt) {
  const auto last = [](const Document& document) { return document.sections.back().id; };
  const auto addition = heddle::testing::study_fixture(1);
  const auto sortedness = heddle::testing::sortedness_fixture(1);
  const auto sweep = heddle::testing::sweep_fixture();
  RunRecord run;
  run.member = addition.members.front();
  EXPECT_EQ(last(document_of(AdditionSource(addition))), "glossary");
  EXPECT_EQ(last(document_of(SortSource(sortedness))), "glossary");
  EXPECT_EQ(last(document_of(SweepSource(sweep))), "glossary");
  EXPECT_EQ(last(document_of(RunSource(run))), "glossary");
}

}  // namespace
}  // namespace heddle::report
