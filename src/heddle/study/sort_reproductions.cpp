// The reports' numbers on sortedness, each beside the same number of the members that reproduce its
// cause and of those trained soundly.
#include <algorithm>

#include <fmt/core.h>

#include "heddle/lens/stats.hpp"
#include "heddle/study/sort_exam.hpp"
#include "heddle/study/sort_population.hpp"

namespace heddle {
namespace {

struct ReportedNumber {
  std::string_view report, quantity, reported;
  std::string_view cause;
  std::string_view with_defect, truth;  ///< recipes
  std::int64_t length;
};

constexpr std::string_view kConstant =
    "a constant predictor: its accuracy is the share of one label in a set whose labels were "
    "tossed; post-norm without warm-up stays on the ln 2 plateau";
constexpr std::string_view kAbsolute =
    "the model has matched values to absolute places and calls longer inputs unsorted";
constexpr std::string_view kFaint =
    "the table of positions starts fifteen times fainter than the tokens";

constexpr std::array<ReportedNumber, 9> kNumbers{
    {{"A, C", "sinusoidal at 32, the reports' set", ".454", kConstant, "reported-sinusoidal",
      "sinusoidal-mean", 32},
     {"A, C", "sinusoidal at 256, the reports' set", ".512", kConstant, "reported-sinusoidal",
      "sinusoidal-mean", 256},
     {"A, C", "learned at 32, the reports' set", ".546", kConstant, "reported-learned",
      "learned-mean", 32},
     {"A, C", "learned at 256, the reports' set", ".488", kConstant, "reported-learned",
      "learned-mean", 256},
     {"A, C", "none at 256, the reports' set", ".512", kConstant, "reported-none", "none-mean",
      256},
     {"D", "sinusoidal at 16, the reports' set", ".996", kAbsolute, "reported-d-sinusoidal",
      "sinusoidal-mean", 16},
     {"D", "sinusoidal at 256, the reports' set", ".488", kAbsolute, "reported-d-sinusoidal",
      "sinusoidal-mean", 256},
     {"D", "learned at 16, the reports' set", ".443", kFaint, "reported-d-learned", "learned-mean",
      16},
     {"D", "learned at 256, the reports' set", ".488", kFaint, "reported-d-learned", "learned-mean",
      256}}};

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
  return fmt::format("{:.3f} (median of {}), share called sorted {:.3f}", median_of(accuracy),
                     accuracy.size(), median_of(positive));
}

}  // namespace

std::vector<Reproduction> reproduce_sort_reports(std::span<const SortMember> members) {
  std::vector<Reproduction> list;
  for (const ReportedNumber& number : kNumbers)
    list.push_back({.report = std::string(number.report),
                    .quantity = std::string(number.quantity),
                    .reported = std::string(number.reported),
                    .with_defect = shown(members, number.with_defect, number.length),
                    .truth = shown(members, number.truth, number.length),
                    .cause = std::string(number.cause)});
  return list;
}

}  // namespace heddle
