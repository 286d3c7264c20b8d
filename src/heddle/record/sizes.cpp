// See sizes.hpp.
#include "heddle/record/sizes.hpp"

#include <initializer_list>

#include "heddle/base/check.hpp"

namespace heddle {
namespace {

/// Whether a list of so many entries is these extents multiplied; a product that would not be is
/// never formed.
bool is_product(std::size_t entries, std::initializer_list<std::int64_t> extents) {
  std::size_t product = 1;
  for (const std::int64_t extent : extents) {
    if (extent <= 0 || static_cast<std::uint64_t>(extent) > entries / product) return false;
    product *= static_cast<std::size_t>(extent);
  }
  return product == entries;
}

void check_pictures(const std::vector<AttentionPicture>& pictures, const std::string& place) {
  for (std::size_t i = 0; i < pictures.size(); ++i)
    for (std::size_t k = 0; k < pictures[i].modules.size(); ++k) {
      const AttentionGrid& grid = pictures[i].modules[k];
      const bool none =
          grid.heads == 0 && grid.weights.empty();  // a module may have lost its heads
      check(none || is_product(grid.weights.size(), {grid.heads, grid.queries, grid.keys}),
            "{}pictures[{}].modules[{}]: {} weights are not those of {} heads of {} queries by {} "
            "keys",
            place, i, k, grid.weights.size(), grid.heads, grid.queries, grid.keys);
    }
}

void check_curve(const SortCurve& curve, const std::string& place) {
  const std::size_t size = curve.x.size();
  const auto fits = [&](const std::vector<double>& list) {
    return list.empty() || list.size() == size;
  };
  check(curve.y.size() == size && fits(curve.low) && fits(curve.high) &&
            curve.low.empty() == curve.high.empty(),
        "{}: lists of {} x, {} y, {} low and {} high", place, size, curve.y.size(),
        curve.low.size(), curve.high.size());
}

void check_map(const SortMap& map, const std::string& place) {
  const bool none = map.values.empty() && (map.rows == 0 || map.columns == 0);
  check((none || is_product(map.values.size(), {map.rows, map.columns})) && map.trained_rows >= 0,
        "{}: {} values are not those of {} rows by {} columns, {} of them trained", place,
        map.values.size(), map.rows, map.columns, map.trained_rows);
}

}  // namespace

void check_sizes(const AdditionStudy& study) {
  for (std::size_t i = 0; i < study.members.size(); ++i)
    check_pictures(study.members[i].pictures, fmt::format("members[{}].", i));
}

void check_sizes(const RunRecord& run) {
  check_pictures(run.member.pictures, "member.");
}

void check_sizes(const RunPictures& kept) {
  check_pictures(kept.pictures, "");
}

void check_sizes(const SortednessStudy& study) {
  for (std::size_t i = 0; i < study.explanations.size(); ++i) {
    const SortExplanation& explanation = study.explanations[i];
    const auto place = [&](const char* list, std::size_t k) {
      return fmt::format("explanations[{}].{}[{}]", i, list, k);
    };
    for (std::size_t k = 0; k < explanation.predicted.size(); ++k)
      check_curve(explanation.predicted[k], place("predicted", k));
    for (std::size_t k = 0; k < explanation.measured.size(); ++k)
      check_curve(explanation.measured[k], place("measured", k));
    for (std::size_t k = 0; k < explanation.maps.size(); ++k)
      check_map(explanation.maps[k], place("maps", k));
  }
}

void check_sizes(const SweepStudy& study) {
  for (std::size_t i = 0; i < study.axes.size(); ++i)
    check(!study.axes[i].values.empty(), "axes[{}]: has no values", i);
  check(!study.cells.empty(), "cells: there is none");
  for (std::size_t i = 0; i < study.cells.size(); ++i)
    check(study.cells[i].values.size() == study.axes.size(), "cells[{}]: {} values for {} axes", i,
          study.cells[i].values.size(), study.axes.size());
}

}  // namespace heddle
