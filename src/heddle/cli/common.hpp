// What several commands do: make a team, build a configuration, lay out tables.
#pragma once

#include <string>
#include <vector>

#include "heddle/base/parallel.hpp"
#include "heddle/cli/text/arguments.hpp"
#include "heddle/cli/text/console.hpp"
#include "heddle/config/config.hpp"
#include "heddle/record/score.hpp"

namespace heddle::cli {

/// The exit code of a command that Ctrl-C ended.
inline constexpr int kStopped = 130;

/// --preset and --set, which train and config share.
extern const Flag kPresetFlag;
extern const Flag kSetFlag;
/// Rows of a table that shows what matters first, and --all, which shows the rest.
inline constexpr std::size_t kFirstRows = 10;
extern const Flag kAllFlag;
/// "  … and 14 more: --all"; nothing where no row was left out.
std::string rest_text(std::size_t left_out);

/// "addition, sortedness, …, file": every task, for the help of TASK.
std::string task_names();

/// --threads, or all cores.
int thread_count(const Arguments& arguments);

/// The preset of the task that was named ("file:pairs.csv" is the task that a file brings);
/// UsageError with the names there are.
Config preset_of(const Arguments& arguments, const std::string& task);
/// The preset of the task that was named, with the settings on top; not validated.
Config configured(const Arguments& arguments, const std::string& task);

/// A word that stands for a run's folder; UsageError if it is empty.
const std::string& run_folder(const Arguments& arguments);

/// Says loudly that a run reproduces a defect, if it does.
void label_defect(const Config& config, Console& console);

/// Lines of cells, columns as wide as their widest cell. A heading row comes first; columns named
/// in `right` are aligned to the right.
class Table {
 public:
  explicit Table(std::string_view right = "") : right_(right) {}
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  /// Each line indented by two and ended.
  std::string text() const;

 private:
  std::string right_;  // one letter per column: 'r' or 'l'
  std::vector<std::vector<std::string>> rows_;
};

/// "99.95 %": never 100 unless all are right, never 0 unless none is.
std::string percent(const Count& count);
/// "1,234 of 2,000".
std::string of_total(const Count& count);

}  // namespace heddle::cli
