// See common.hpp.
#include "heddle/cli/common.hpp"

#include <algorithm>
#include <cmath>

#include "heddle/base/decimal.hpp"
#include "heddle/base/index.hpp"
#include "heddle/base/text.hpp"
#include "heddle/config/load.hpp"
#include "heddle/config/presets.hpp"

namespace heddle::cli {

const Flag kPresetFlag{.name = "--preset",
                       .value = "P",
                       .help =
                           "named settings to start from: default, as-reported, or hand-built "
                           "(sortedness only: weights written by hand)"};
const Flag kSetFlag{.name = "--set",
                    .value = "key=value",
                    .help = "a setting of your own (heddle config lists them); more may follow",
                    .repeats = true,
                    .settings = true};

const Flag kAllFlag{
    .name = "--all", .value = "", .help = "every row of every table, not only the first ten"};

std::string rest_text(std::size_t left_out) {
  return left_out == 0 ? ""
                       : fmt::format("  … and {} more: --all\n",
                                     format_count(static_cast<std::int64_t>(left_out)));
}

namespace {
constexpr std::int64_t kMostThreads = 1024;
}  // namespace

std::string task_names() {
  const auto names = names_of(TaskKind{});
  return join(std::vector<std::string>(names.begin(), names.end()), ", ");
}

int thread_count(const Arguments& arguments) {
  return static_cast<int>(arguments.number("--threads", 1, kMostThreads).value_or(core_count()));
}

Config preset_of(const Arguments& arguments, const std::string& task) {
  Config config = preset_of_task(arguments.value("--preset").value_or("default"), task);
  if (const auto columns = arguments.value("--columns")) set(config, "task.columns", *columns);
  return config;
}

Config configured(const Arguments& arguments, const std::string& name) {
  Config config = preset_of(arguments, name);
  const auto task = config.task.name;
  for (const std::string& assignment : arguments.values("--set")) set(config, assignment);
  // Its other settings would still be those of the task that was named.
  check<UsageError>(config.task.name == task, "task.name={}: the task that was named is {}",
                    field_text(config.task.name), field_text(task));
  return config;
}

const std::string& run_folder(const Arguments& arguments) {
  const std::string& run = arguments.positional(0);
  check<UsageError>(!run.empty(), "RUN is empty: give the folder that train wrote");
  return run;
}

void label_defect(const Config& config, Console& console) {
  if (const std::string note = config.defect_note(); !note.empty())
    console.warn("NOT A SOUND RUN: {}", note);
}

namespace {

/// Letters that the reader sees, not bytes.
std::size_t letters(std::string_view text) {
  return to_size(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

std::string Table::text() const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], letters(row[i]));
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string gap(widths[i] - letters(row[i]), ' ');
      const bool right = i < right_.size() && right_[i] == 'r';
      line.append("  ").append(right ? gap : "").append(row[i]).append(right ? "" : gap);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string percent(const Count& count) {
  return format_share(count.correct, count.total);
}

std::string of_total(const Count& count) {
  return fmt::format("{} of {}", format_count(count.correct), format_count(count.total));
}

}  // namespace heddle::cli
