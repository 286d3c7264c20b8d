// The data that the page's script prints numbers from: it is that of the results, and a difference
// is caught.
#include "heddle/report/check/embedded.hpp"

#include <gtest/gtest.h>

#include "heddle/report/document/page.hpp"
#include "heddle/report/draw/base64.hpp"
#include "heddle/report/web/widget.hpp"
#include "tests/support/print_json.hpp"
#include "tests/support/report/sortedness_fixture.hpp"
#include "tests/support/report/study_fixture.hpp"

namespace heddle::report {
namespace {

template <class Study>
struct RenderedStudy {
  Study study;
  Json results;
  std::string html;

  explicit RenderedStudy(Study made) : study(std::move(made)), results(to_tree(study)) {
    const StudySource<Study> source(study);
    html = page(document_of(source));
  }
  std::vector<std::string> faults(const std::string& from, const std::string& to) const {
    std::string text = html;
    const std::size_t at = text.find(from, text.find("application/json"));
    EXPECT_NE(at, std::string::npos) << from;
    return check_embedded(text.replace(at, from.size(), to), results);
  }
};

const RenderedStudy<AdditionStudy>& addition() {
  static const RenderedStudy<AdditionStudy> kRendered(heddle::testing::study_fixture(2));
  return kRendered;
}
const RenderedStudy<SortednessStudy>& sortedness() {
  static const RenderedStudy<SortednessStudy> kRendered(heddle::testing::sortedness_fixture(2));
  return kRendered;
}

TEST(ReportEmbedded, WhatIsWrittenIsWhatWasFound) {
  EXPECT_EQ(check_embedded(addition().html, addition().results), std::vector<std::string>{});
  EXPECT_EQ(check_embedded(sortedness().html, sortedness().results), std::vector<std::string>{});
  EXPECT_EQ(check_embedded("<p>no data</p>", addition().results), std::vector<std::string>{});
}

TEST(ReportEmbedded, AChangedResultIsCaught) {
  const auto caught = [](const auto& rendered, const auto& change) {
    Json results = rendered.results;
    change(results);
    return check_embedded(rendered.html, results).size();
  };
  EXPECT_EQ(
      caught(addition(), [](Json& r) { r["members"][0]["ablation"]["heads"][7]["drop"] = 1; }), 1u);
  EXPECT_EQ(caught(addition(),
                   [](Json& r) { r["members"][0]["specialisation"]["roles"][0]["role"] = "idle"; }),
            1u);
  EXPECT_EQ(caught(addition(),
                   [](Json& r) {
                     r["members"][1]["pruning"]["curves"][1]["points"][3]["scored"]["correct"] = 7;
                   }),
            1u);
  EXPECT_EQ(caught(addition(),
                   [](Json& r) {
                     Json& weight = r["members"][0]["pictures"][2]["modules"][0]["weights"][5];
                     weight = weight.get<double>() + 2e-4;
                   }),
            1u);
  EXPECT_EQ(
      caught(sortedness(), [](Json& r) { r["populations"][2]["estimates"][0]["median"] = 0.1; }),
      1u);
  EXPECT_EQ(caught(sortedness(), [](Json& r) { r["train_longest"] = 17; }), 1u);
  EXPECT_EQ(caught(sortedness(), [](Json& r) { r["populations"].erase(8); }), 1u) << "a place";
}

TEST(ReportEmbedded, AMaskCannotHideAWeight) {
  Json results = addition().results;
  Json& grid = results["members"][0]["pictures"][2]["modules"][2];
  ASSERT_EQ(grid["module"], "decoder.0.self");
  grid["weights"][1] = 0.25;  // the first query may not see the second key
  EXPECT_EQ(check_embedded(addition().html, results).size(), 1u);
}

TEST(ReportEmbedded, TamperedDataIsCaught) {
  EXPECT_EQ(addition().faults("{\"colours\":", "{\"best\":99,\"colours\":").size(), 1u);
  EXPECT_EQ(addition().faults("{\"colours\":", "{\"best\":\"99 %\",\"colours\":").size(), 1u);
  EXPECT_EQ(addition().faults("\"heads_left\":[24,", "\"heads_left\":[25,").size(), 1u);
  EXPECT_EQ(addition().faults("\"heads_left\":[24,", "\"heads_left\":[").size(), 1u);
  EXPECT_EQ(addition().faults("\"from\":\"members.0\"", "\"from\":\"members.99\"").size(), 1u);
  EXPECT_EQ(addition().faults("{\"colours\":", "{\"colours\":[").size(), 1u) << "no JSON";
  EXPECT_EQ(sortedness().faults("\"given_learned\":false", "\"given_learned\":true").size(), 1u);
  EXPECT_GE(sortedness().faults("\"at\":[0,", "\"at\":[999999,").size(), 1u);
}

TEST(ReportEmbedded, LettersBecomeTheirBytesAgain) {
  for (const std::string bytes : {"", "a", "ab", "abc", "\x01\xff\x80"})
    EXPECT_EQ(base64_bytes(base64(bytes)), bytes);
  EXPECT_EQ(base64_bytes("YWI?"), "ab");
}

}  // namespace
}  // namespace heddle::report
