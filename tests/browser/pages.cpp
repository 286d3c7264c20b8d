// Writes the pages that the browser tests open: reports on made-up studies and a sweep, one of them
// with a map of 256 tokens. Usage: heddle_pages FOLDER
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>

#include <fmt/format.h>

#include "heddle/base/decimal.hpp"
#include "heddle/base/file.hpp"
#include "heddle/record/tree.hpp"
#include "heddle/report/document/number.hpp"
#include "heddle/report/document/write.hpp"
#include "heddle/report/run/document.hpp"
#include "tests/support/report/sortedness_fixture.hpp"
#include "tests/support/report/study_fixture.hpp"
#include "tests/support/report/sweep_fixture.hpp"

namespace {

using namespace heddle;

template <class Study>
void write_pages(const Study& study, const std::string& folder) {
  make_folder(folder);
  write_file(folder + "/results.json", to_tree(study).dump());
  for (const report::FileText& file : report::report_files(study)) {
    const std::string path = folder + "/" + file.path;
    make_folder(std::filesystem::path(path).parent_path().string());
    write_file(path, file.text);
  }
}

/// Heads that look around themselves, each more broadly than the one before.
AttentionGrid long_grid(std::int64_t tokens) {
  AttentionGrid grid;
  grid.module = "encoder.0.self";
  grid.heads = 4;
  grid.queries = grid.keys = tokens;
  for (std::int64_t head = 0; head < grid.heads; ++head)
    for (std::int64_t query = 0; query < tokens; ++query)
      for (std::int64_t key = 0; key < tokens; ++key) {
        const double width = std::ldexp(2.0, 2 * static_cast<int>(head));
        const auto away = static_cast<double>(query - key);
        const double weight = std::exp(-std::abs(away) / width) / (2 * width);
        grid.weights.push_back(std::round(weight * 1e4) / 1e4);
      }
  return grid;
}

AdditionStudy long_study() {
  constexpr std::int64_t kTokens = 256;
  AdditionStudy study = testing::study_fixture(1);
  AttentionPicture picture;
  picture.name = "a long input";
  for (std::int64_t i = 0; i < kTokens; ++i) picture.source.push_back(fmt::format("t{}", i));
  picture.modules = {long_grid(kTokens)};
  study.members[0].pictures = {picture};
  return study;
}

/// A run with what a single member has.
RunRecord long_run() {
  RunRecord run;
  run.member = testing::study_fixture(1).members[0];
  run.member.recipe = run.task = "a_file_with_a_long_name_of_many_words.csv";
  run.answers = "sequences";
  run.splits = {{"train", 46000, ""}, {"validation", 0, ""}, {"test", 2000, ""}};
  run.score.set = "test";
  run.score.whole = {
      {.name = "greedy", .count = {.correct = 1900, .total = 2000}, .low = 0.93, .high = 0.96}};
  run.settings = {{"model.heads", "4", "4"}, {"train.steps", "400", "2000"}};
  run.missing = {{"pruning", "not measured yet", "heddle prune RUN --max-drop 0.01 --out SMALLER"}};
  return run;
}

/// Numbers with the texts that the report gives them, to which its script is held:
/// [function, arguments, text].
Json number_cases() {
  Json cases = Json::array();
  for (std::int64_t whole : {1, 3, 7, 8, 16, 40, 64, 125, 160, 800, 2000})
    for (std::int64_t part = 0; part <= whole; part += whole < 200 ? 1 : 3)
      for (const int decimals : {0, 1, 2}) {
        const double share = static_cast<double>(part) / static_cast<double>(whole);
        const double drop = share - 0.25;
        cases.push_back(
            {"percent_of", {part, whole, decimals}, format_share(part, whole, decimals)});
        cases.push_back({"percent", {share, decimals}, report::percent(share, decimals)});
        cases.push_back({"points", {drop}, report::points(drop)});
        cases.push_back({"fixed", {drop, decimals}, report::fixed(drop, decimals)});
      }
  for (int power = -9; power <= 9; ++power)
    for (const double digits : {1.0, -9.9949, 4.5, 0.30000000000000004, 1.0 / 3, 2.675}) {
      const double value = digits * std::pow(10.0, power);
      cases.push_back({"percent", {value, 2}, report::percent(value, 2)});
      cases.push_back({"fixed", {value, 4}, report::fixed(value, 4)});
    }
  return cases;
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) {
    fmt::print(stderr, "usage: heddle_pages FOLDER\n");
    return 2;
  }
  try {
    const std::string folder = words[1];
    write_pages(testing::study_fixture(3), folder + "/addition");
    write_file(folder + "/addition/numbers.json", number_cases().dump());
    write_pages(testing::sortedness_fixture(3), folder + "/sortedness");
    write_pages(testing::sweep_fixture(), folder + "/sweep");
    write_pages(long_study(), folder + "/long");
    report::write_report(long_run(), folder + "/run");
    report::write_overview(folder);
  } catch (const std::exception& error) {
    fmt::print(stderr, "heddle_pages: {}\n", error.what());
    return 1;
  }
  return 0;
}
