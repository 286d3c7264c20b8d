// The reports' numbers on sortedness, each beside the same number of the members that reproduce its
// cause and of those trained soundly.
#include <algorithm>

#include <fmt/core.h>

#include "heddle/base/decimal.hpp"
#include "heddle/lens/stats/stats.hpp"
#include "heddle/study/sortedness/exam.hpp"
#include "heddle/study/sortedness/population.hpp"

namespace heddle {
namespace {

struct ReportedPoint {
  std::int64_t length;
  std::string_view accuracy;  ///< as the report printed it
};

/// One line of a report's table of lengths.
struct ReportedLine {
  std::string_view report;
  PositionKind position;
  std::string_view cause;
  std::string with_defect;  ///< the recipe; the sound one is that encoding with the mean
  std::vector<ReportedPoint> points;
};

constexpr std::string_view kConstant =
    "a constant predictor: its accuracy is the share of one label in a set whose labels were "
    "tossed; post-norm without warm-up stays on the ln 2 plateau";
constexpr std::string_view kAbsolute =
    "the model has matched values to absolute places and calls longer inputs unsorted";
constexpr std::string_view kFaint =
    "the table of positions starts fifteen times fainter than the tokens";

constexpr std::string_view kBag =
    "without positions and with mean pooling the model sees a bag of tokens: whatever it answers, "
    "it guesses";

std::vector<ReportedLine> reported_lines() {
  const std::vector<ReportedPoint> sorted_share{
      {32, ".454"}, {64, ".514"}, {128, ".518"}, {256, ".512"}};
  const std::vector<ReportedPoint> unsorted_share{
      {32, ".546"}, {64, ".486"}, {128, ".482"}, {256, ".488"}};
  const auto then = [](std::vector<ReportedPoint> points, const std::vector<ReportedPoint>& more) {
    points.insert(points.end(), more.begin(), more.end());
    return points;
  };
  return {
      {"A, C", PositionKind::sinusoidal, kConstant, reported_recipe(PositionKind::sinusoidal),
       sorted_share},
      {"A, C", PositionKind::learned, kConstant, reported_recipe(PositionKind::learned),
       unsorted_share},
      {"A, C", PositionKind::none, kConstant, reported_recipe(PositionKind::none), sorted_share},
      {"D", PositionKind::sinusoidal, kAbsolute, report_d_recipe(PositionKind::sinusoidal),
       then({{8, ".927"}, {16, ".996"}}, unsorted_share)},
      {"D", PositionKind::learned, kFaint, report_d_recipe(PositionKind::learned),
       then({{8, ".496"}, {12, ".525"}, {16, ".443"}}, unsorted_share)},
      {"D",
       PositionKind::none,
       kBag,
       reported_recipe(PositionKind::none),
       {{32, ".500"}, {64, ".442"}, {128, ".524"}, {256, ".492"}}}};
}

/// "0.512 (median of 3), called sorted 1.000".
std::string shown(std::span<const SortMember> members, std::string_view recipe,
                  std::int64_t length) {
  std::vector<double> accuracy, positive;
  for (const SortMember& member : members)
    for (const SortCell& cell : member.cells)
      if (member.recipe == recipe && cell.kind == kAsReported && cell.length == length) {
        accuracy.push_back(static_cast<double>(cell.correct) / static_cast<double>(cell.total));
        positive.push_back(cell.predicted_positive);
      }
  if (accuracy.empty()) return "not run";
  return fmt::format("{} (median of {}), share called sorted {}",
                     format_fixed(median_of(accuracy), 3), accuracy.size(),
                     format_fixed(median_of(positive), 3));
}

}  // namespace

std::vector<Reproduction> reproduce_sortedness_reports(std::span<const SortMember> members) {
  std::vector<Reproduction> list;
  for (const ReportedLine& line : reported_lines())
    for (const ReportedPoint& point : line.points)
      list.push_back({.report = std::string(line.report),
                      .quantity = fmt::format("{} at {}, the reports' set",
                                              field_text(line.position), point.length),
                      .reported = std::string(point.accuracy),
                      .with_defect = shown(members, line.with_defect, point.length),
                      .truth = shown(members, required_recipe(line.position, PoolingSetting::mean),
                                     point.length),
                      .cause = std::string(line.cause)});
  return list;
}

}  // namespace heddle
