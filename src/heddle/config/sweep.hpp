// Lists in --set make a grid: every combination of the alternatives is a configuration of its own.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/config/config.hpp"

namespace heddle {

/// A setting with its alternatives.
struct SweepAxis {
  std::string setting;              ///< its whole name: "model.position"
  std::vector<std::string> values;  ///< as field_text() writes them, each once

  /// "position".
  std::string name() const;
};

/// What is swept over what. The same lists in another order of settings make the same grid.
struct SweepGrid {
  Config base;                  ///< each axis at its first alternative, the first seed
  std::vector<SweepAxis> axes;  ///< in the order of the list of settings
  std::int64_t seeds = 1;       ///< base.seed, base.seed + 1, …
};

/// One combination.
struct SweepCell {
  std::string name;                 ///< of its folder: "position=alibi+pooling=max"; "base" of none
  std::string label;                ///< for people: "alibi · max", "heads 4 · lr 0.001"
  std::vector<std::string> values;  ///< one per axis
  Config config;                    ///< of the first seed
};

/// The alternatives that a text holds: between commas, or for a setting that is a text itself (and
/// has commas of its own) between semicolons.
std::vector<std::string> alternatives(const Config& config, std::string_view key,
                                      std::string_view text);

/// Whether any of these "key=value" is a list.
bool has_list(const Config& config, std::span<const std::string> assignments);

/// The grid that these "key=value" make of a configuration. UsageError: whatever set() refuses, an
/// alternative that stands there twice, a list for a setting that is given again, a list of seeds
/// or tasks, more than kMostCells combinations.
SweepGrid sweep_grid(const Config& start, std::span<const std::string> assignments,
                     std::int64_t seeds);
inline constexpr std::size_t kMostCells = 10000;

/// UsageError for a grid that no such lists make: an axis of nothing, too many combinations or
/// seeds.
void check_grid(const SweepGrid& grid);

/// Every combination, the last axis fastest. UsageError for the first that cannot be, with its
/// name.
std::vector<SweepCell> cells_of(const SweepGrid& grid);

/// What keeps `grid` from containing all of `before`, one line per setting, "wanted against there";
/// empty if it does: the same settings, and at least its alternatives and seeds.
std::vector<std::string> missing_from(const SweepGrid& grid, const SweepGrid& before);

/// The command that makes this grid, whatever was typed: "heddle train … --set … --seeds 3 --out
/// sweep". The folder is always that one, so that the results do not depend on where they stand.
std::string sweep_command(const SweepGrid& grid);

}  // namespace heddle
