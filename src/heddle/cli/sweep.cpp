// See sweep.hpp.
#include "heddle/cli/sweep.hpp"

#include <cmath>

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/cli/shared_study.hpp"
#include "heddle/cli/text/example_text.hpp"
#include "heddle/config/presets.hpp"
#include "heddle/config/sweep.hpp"
#include "heddle/record/json.hpp"
#include "heddle/record/tree.hpp"
#include "heddle/report/document/number.hpp"
#include "heddle/report/document/write.hpp"
#include "heddle/report/sweep/view.hpp"
#include "heddle/study/sweep/folder.hpp"
#include "heddle/study/sweep/sweep.hpp"
#include "heddle/task/file/file_task.hpp"

namespace heddle::cli {
namespace {

constexpr std::int64_t kMostSeeds = 100000;

/// What a file is made of goes into every cell.
void read_file_of(SweepGrid& grid, Console& console) {
  if (!grid.base.task.from_file()) return;
  for (const SweepAxis& axis : grid.axes)
    check<UsageError>(!axis.setting.starts_with("task."),
                      "{} of a file cannot be swept: accepted is settings of model and train",
                      axis.setting);
  check<UsageError>(!grid.base.task.path.empty(), "TASK file: say which, such as file:pairs.csv");
  read_shape(grid.base, reading_progress(console));
  console.erase();
}

SweepGrid asked_grid(const Arguments& arguments, Console& console) {
  check<UsageError>(arguments.value("--preset") != kHandBuilt,
                    "preset {} is not trained, so there is nothing to sweep", kHandBuilt);
  std::vector<std::string> assignments = arguments.values("--set");
  if (const auto seed = arguments.value("--seed")) assignments.push_back("seed=" + *seed);
  const std::int64_t seeds = arguments.number("--seeds", 1, kMostSeeds).value_or(1);
  const Config named = preset_of(arguments, arguments.positional(0));
  SweepGrid grid = sweep_grid(named, assignments, seeds);
  check<UsageError>(grid.base.task.name == named.task.name,
                    "task.name={}: the task that was named is {}", field_text(grid.base.task.name),
                    field_text(named.task.name));
  read_file_of(grid, console);
  return grid;
}

/// The cells, highest mean first.
std::string cells_text(const SweepStudy& study) {
  const bool chance = report::chance_of(study, study.main) >= 0;
  Table table(std::string(study.axes.size(), 'l') + "rrlrr");
  std::vector<std::string> head;
  for (const SweepAxisRecord& axis : study.axes) head.push_back(axis.name);
  for (const char* word : {"mean", "95 % interval", "over", "worst (seed)"})
    head.emplace_back(word);
  head.emplace_back(chance ? "seeds above chance" : "seeds without an error");
  table.add(head);
  for (const SweepCellRecord* cell : report::ranked_cells(study)) {
    std::vector<std::string> row = cell->values;
    if (const SweepEstimate* e = report::find_estimate(*cell, study.main)) {
      row.push_back(report::percent(e->mean, 2));
      row.push_back(report::interval(report::percent(e->low, 1), report::percent(e->high, 1)));
      row.emplace_back(name_of(e->over));
      row.push_back(fmt::format("{} ({})", report::percent(e->worst, 2), e->worst_seed));
      row.push_back(fmt::format("{} of {}", chance ? e->above_chance : e->complete, e->seeds));
    }
    table.add(row);
  }
  return table.text();
}

/// "alibi − rope: 12.3 points [3.1, 21.5], told apart".
std::string contrasts_text(const SweepStudy& study) {
  Table table("lrrrl");
  for (const SweepAxisRecord& axis : study.axes)
    for (const SweepContrast* c : report::contrasts_of(study, axis.setting, study.main))
      table.add({fmt::format("{}: {} − {}", axis.name, c->better, c->other),
                 fmt::format("{} points", report::points(c->difference)),
                 report::interval(report::points(c->low), report::points(c->high)),
                 fmt::format("{} of {} pairs", c->ahead, c->pairs),
                 c->told_apart ? "told apart" : "undecided"});
  return table.text();
}

std::string sweep_text(const SweepStudy& study, const std::string& folder) {
  std::string text = fmt::format(
      "{}, mean over {}\n{}", study.main,
      study.seeds.size() == 1 ? "one seed" : fmt::format("{} seeds", study.seeds.size()),
      cells_text(study));
  if (!study.contrasts.empty()) text += "all else equal\n" + contrasts_text(study);
  return text + fmt::format(
                    "report: {0}/index.html (also {0}/report.md, {0}/results.json, "
                    "{0}/tables/sweep.csv)\n",
                    folder);
}

std::string sweep_json(const SweepStudy& study, const std::string& folder) {
  Json cells = Json::array();
  for (const SweepCellRecord* cell : report::ranked_cells(study))
    cells.push_back({{"name", cell->name},
                     {"values", cell->values},
                     {"seeds", cell->seeds},
                     {"failed", cell->failed},
                     {"estimates", to_tree(cell->estimates)}});
  return json_line({{"task", study.task},
                    {"sweep", folder},
                    {"outcome", "finished"},
                    {"axes", to_tree(study.axes)},
                    {"seeds", study.seeds},
                    {"members", study.members.size()},
                    {"main", study.main},
                    {"cells", cells},
                    {"contrasts", to_tree(study.contrasts)}});
}

/// What must not be overlooked.
void warn(const SweepStudy& study, Console& console) {
  for (const SweepCellRecord& cell : study.cells) {
    if (!cell.defect.empty()) console.warn("NOT A SOUND CELL: {}: {}", cell.label, cell.defect);
    if (cell.failed > 0)
      console.warn("{}: {} of {} trainings diverged", cell.label, cell.failed, cell.seeds);
  }
}

}  // namespace

const Flag kSeedsFlag{.name = "--seeds",
                      .value = "N",
                      .help =
                          "train seeds S to S + N - 1 and compare them; with lists in --set, "
                          "of every combination"};

bool wants_sweep(const Arguments& arguments) {
  if (arguments.has("--seeds")) return true;
  const std::vector<std::string> assignments = arguments.values("--set");
  const bool lists = has_list(preset_of(arguments, arguments.positional(0)), assignments);
  check<UsageError>(lists || !arguments.has(kPlanFlag.name),
                    "--plan lists the members of a sweep: give --seeds N, or a list in --set");
  return lists;
}

int train_sweep(const Arguments& arguments, Console& console) {
  const SweepGrid grid = asked_grid(arguments, console);
  const std::string& folder = arguments.required("--out");
  check<UsageError>(!folder.empty(), "--out is empty: give a folder for the sweep");
  const Study study = sweep_study(grid);
  if (arguments.has(kPlanFlag.name)) {
    plan_only(study, folder, arguments, console);
    return 0;
  }
  if (!make_and_conclude(study, folder, arguments, console)) {
    if (arguments.json())
      console.result(json_line(
          {{"task", field_text(grid.base.task.name)}, {"sweep", folder}, {"outcome", "stopped"}}));
    return kStopped;
  }
  draw_sweep(folder, arguments, console);
  return 0;
}

void draw_sweep(const std::string& folder, const Arguments& arguments, Console& console) {
  const SweepStudy study = report::read_sweep(folder);
  const report::WrittenReport written = report::write_report(study, folder);
  if (!written.note.empty()) console.note("{}", written.note);
  warn(study, console);
  console.result(arguments.json() ? sweep_json(study, folder) : sweep_text(study, folder));
}

void refuse_sweep(const std::string& folder) {
  check<UsageError>(!file_exists(fmt::format("{}/{}", folder, kSweepFile)),
                    "{} holds a sweep, not a run; choose another --out", quote_path(folder));
}

}  // namespace heddle::cli
