// See sweep.hpp.
#include "heddle/config/sweep.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "heddle/base/hash.hpp"
#include "heddle/base/text.hpp"
#include "heddle/config/load.hpp"
#include "heddle/config/shell_word.hpp"

namespace heddle {
namespace {

constexpr std::string_view kSeed = "seed", kTask = "task.name";

/// What is known of a file once it is named.
bool is_read_off(std::string_view setting) {
  constexpr std::array<std::string_view, 6> kReadOff{"task.path",          "task.form",
                                                     "task.vocabulary",    "task.classes",
                                                     "task.longest_input", "task.longest_output"};
  return std::ranges::find(kReadOff, setting) != kReadOff.end();
}

std::string last_name(const std::string& path) {
  return path.substr(path.rfind('.') + 1);
}

/// ',' or, where the setting is a text, ';'.
char separator_of(const Config& config, const std::string& name) {
  char separator = ',';
  walk(config, [&]<class T>(const Field<T>& field) {
    if (std::is_same_v<typename Field<T>::Value, std::string> && field.path == name)
      separator = ';';
  });
  return separator;
}

std::string value_of(const Config& config, const std::string& name) {
  std::string text;
  walk(config, [&](const auto& field) {
    if (field.path == name) text = field_text(field.value);
  });
  return text;
}

/// "key=value" taken apart; UsageError as set() has it.
struct Assignment {
  std::string name;
  std::vector<std::string> values;
};
Assignment read_assignment(const Config& config, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    Config refuses = config;
    set(refuses, text);
  }
  const std::string name = full_name(std::string_view(text).substr(0, equals));
  return {.name = name, .values = alternatives(config, name, text.substr(equals + 1))};
}

/// The alternatives as the setting itself writes them.
SweepAxis read_axis(const Config& config, const Assignment& list) {
  check<UsageError>(list.name != kSeed,
                    "seed={}: seeds are not listed; accepted is --seeds N, from --seed on",
                    join(list.values, ","));
  check<UsageError>(list.name != kTask, "{}={}: a sweep is of one task", kTask,
                    join(list.values, ","));
  SweepAxis axis{.setting = list.name, .values = {}};
  for (const std::string& text : list.values) {
    Config tried = config;
    set(tried, list.name, text);
    std::string value = value_of(tried, list.name);
    check<UsageError>(std::ranges::find(axis.values, value) == axis.values.end(),
                      "{}: the alternative {} stands in the list twice", list.name, quote(value));
    axis.values.push_back(std::move(value));
  }
  return axis;
}

/// In the order of the list of settings.
void sort_axes(SweepGrid& grid) {
  std::vector<std::string> order;
  walk(grid.base, [&](const auto& field) { order.push_back(field.path); });
  std::ranges::sort(grid.axes, {}, [&](const SweepAxis& axis) {
    return std::ranges::find(order, axis.setting) - order.begin();
  });
}

/// A value as part of a folder's name: short, of letters that every shell leaves alone.
std::string folder_word(const std::string& value) {
  constexpr std::size_t kMost = 40;
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-";
  std::string word = value.substr(0, kMost);
  for (char& letter : word)
    if (kPlain.find(letter) == std::string_view::npos) letter = '_';
  if (word == value && !word.empty()) return word;
  return fmt::format("{}-{}", word, Hash().add(value).hex().substr(0, 8));
}

std::string folder_name(const std::vector<SweepAxis>& axes,
                        const std::vector<std::string>& values) {
  constexpr std::size_t kMost = 200;  // file systems end at 255
  if (axes.empty()) return "base";
  std::string name;
  for (std::size_t i = 0; i < axes.size(); ++i)
    name += fmt::format("{}{}={}", i == 0 ? "" : "+", axes[i].name(), folder_word(values[i]));
  if (name.size() <= kMost) return name;
  return fmt::format("{}-{}", name.substr(0, kMost), Hash().add(name).hex());
}

/// A word stands for itself; a number needs its setting's name.
std::string label_of(const std::vector<SweepAxis>& axes, const std::vector<std::string>& values) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const bool number = values[i].empty() || parse_double(values[i]).has_value();
    parts.push_back(
        number ? fmt::format("{} {}", axes[i].name(), values[i].empty() ? "(nothing)" : values[i])
               : values[i]);
  }
  return parts.empty() ? "base" : join(parts, " · ");
}

std::size_t count_cells(const SweepGrid& grid) {
  std::size_t cells = 1;
  for (const SweepAxis& axis : grid.axes) {
    cells *= axis.values.size();
    check<UsageError>(cells <= kMostCells, "the lists make more than {} combinations", kMostCells);
  }
  return cells;
}

SweepCell make_cell(const SweepGrid& grid, std::size_t number) {
  SweepCell cell{.name = "", .label = "", .values = {}, .config = grid.base};
  cell.values.resize(grid.axes.size());
  for (std::size_t i = grid.axes.size(); i-- > 0;) {
    const SweepAxis& axis = grid.axes[i];
    cell.values[i] = axis.values[number % axis.values.size()];
    number /= axis.values.size();
    set(cell.config, axis.setting, cell.values[i]);
  }
  cell.name = folder_name(grid.axes, cell.values);
  cell.label = label_of(grid.axes, cell.values);
  return cell;
}

void check_cell(const SweepGrid& grid, const SweepCell& cell) {
  try {
    validate(cell.config);
  } catch (const UsageError& error) {
    if (grid.axes.empty()) throw;
    throw UsageError(fmt::format("the cell {}: {}", cell.name, error.what()));
  }
}

const SweepAxis* find_axis(const SweepGrid& grid, const std::string& setting) {
  const auto found = std::ranges::find(grid.axes, setting, &SweepAxis::setting);
  return found == grid.axes.end() ? nullptr : &*found;
}

/// The alternatives of a setting, or its one value.
std::string list_of(const SweepGrid& grid, const std::string& setting) {
  const SweepAxis* axis = find_axis(grid, setting);
  const std::string separator(1, separator_of(grid.base, setting));
  return axis == nullptr ? value_of(grid.base, setting) : join(axis->values, separator);
}

bool contains(const SweepGrid& grid, const SweepGrid& before, const std::string& setting) {
  const SweepAxis *wide = find_axis(grid, setting), *narrow = find_axis(before, setting);
  if (wide == nullptr || narrow == nullptr) return false;
  return std::ranges::all_of(narrow->values, [&](const std::string& value) {
    return std::ranges::find(wide->values, value) != wide->values.end();
  });
}

std::string seeds_text(const SweepGrid& grid) {
  const std::uint64_t last = grid.base.seed + static_cast<std::uint64_t>(grid.seeds) - 1;
  return fmt::format("{} to {}", grid.base.seed, last);
}

}  // namespace

std::string SweepAxis::name() const {
  return last_name(setting);
}

std::vector<std::string> alternatives(const Config& config, std::string_view key,
                                      std::string_view text) {
  return split(text, separator_of(config, full_name(key)));
}

bool has_list(const Config& config, std::span<const std::string> assignments) {
  return std::ranges::any_of(assignments, [&](const std::string& text) {
    return read_assignment(config, text).values.size() > 1;
  });
}

SweepGrid sweep_grid(const Config& start, std::span<const std::string> assignments,
                     std::int64_t seeds) {
  SweepGrid grid{.base = start, .axes = {}, .seeds = seeds};
  std::vector<std::string> single;
  for (const std::string& text : assignments) {
    const Assignment assignment = read_assignment(grid.base, text);
    const bool list = assignment.values.size() > 1;
    const bool again = find_axis(grid, assignment.name) != nullptr ||
                       (list && std::ranges::find(single, assignment.name) != single.end());
    check<UsageError>(!again, "{} is given twice, once as a list", assignment.name);
    if (list) {
      grid.axes.push_back(read_axis(grid.base, assignment));
    } else {
      set(grid.base, text);
      single.push_back(assignment.name);
    }
  }
  sort_axes(grid);
  check_grid(grid);
  for (const SweepAxis& axis : grid.axes) set(grid.base, axis.setting, axis.values.front());
  return grid;
}

void check_grid(const SweepGrid& grid) {
  for (const SweepAxis& axis : grid.axes)
    check<UsageError>(!axis.values.empty(), "{} has no alternative", quote(axis.setting));
  (void)count_cells(grid);
  constexpr auto kLast = std::numeric_limits<std::uint64_t>::max();
  check<UsageError>(grid.seeds >= 1, "{} seeds: accepted is at least 1", grid.seeds);
  check<UsageError>(grid.base.seed <= kLast - static_cast<std::uint64_t>(grid.seeds - 1),
                    "--seeds {} from seed {} on go beyond {}", grid.seeds, grid.base.seed, kLast);
}

std::vector<SweepCell> cells_of(const SweepGrid& grid) {
  const std::size_t count = count_cells(grid);
  std::vector<SweepCell> cells;
  for (std::size_t i = 0; i < count; ++i) {
    cells.push_back(make_cell(grid, i));
    check_cell(grid, cells.back());
  }
  return cells;
}

std::vector<std::string> missing_from(const SweepGrid& grid, const SweepGrid& before) {
  if (grid.base.task.name != before.base.task.name) return differences(grid.base, before.base);
  Config ours = grid.base, theirs = before.base;
  ours.seed = theirs.seed;
  std::vector<std::string> missing;
  for (const SweepGrid* one : {&before, &grid})
    for (const SweepAxis& axis : one->axes) {
      set(ours, axis.setting, axis.values.front());
      set(theirs, axis.setting, axis.values.front());
      const bool told = one == &grid && find_axis(before, axis.setting) != nullptr;
      if (!told && !contains(grid, before, axis.setting))
        missing.push_back(fmt::format("{}={} against {}", axis.setting, list_of(grid, axis.setting),
                                      list_of(before, axis.setting)));
    }
  for (std::string& difference : differences(ours, theirs))
    missing.push_back(std::move(difference));
  const std::uint64_t first = before.base.seed,
                      end = first + static_cast<std::uint64_t>(before.seeds - 1);
  if (grid.base.seed > first || grid.base.seed + static_cast<std::uint64_t>(grid.seeds - 1) < end)
    missing.push_back(fmt::format("seeds {} against {}", seeds_text(grid), seeds_text(before)));
  return missing;
}

std::string sweep_command(const SweepGrid& grid) {
  const TaskConfig& task = grid.base.task;
  std::string sets;
  for (const Setting& setting : settings(grid.base)) {
    const bool swept = find_axis(grid, setting.name) != nullptr;
    if (setting.name == kSeed || (!swept && setting.value == setting.default_value)) continue;
    if (task.from_file() && is_read_off(setting.name)) continue;
    sets += " " + shell_quoted(fmt::format("{}={}", setting.name, list_of(grid, setting.name)));
  }
  const std::string name =
      task.from_file() ? shell_quoted(fmt::format("{}:{}", field_text(task.name), task.path))
                       : field_text(task.name);
  const std::string seed = grid.base.seed == 1 ? "" : fmt::format(" --seed {}", grid.base.seed);
  return fmt::format("heddle train {}{}{}{} --seeds {} --out sweep", name, seed,
                     sets.empty() ? "" : " --set", sets, grid.seeds);
}

}  // namespace heddle
