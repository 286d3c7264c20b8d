// See sweep.hpp.
#include "heddle/study/sweep/sweep.hpp"

#include <memory>

#include "heddle/base/memory/offered.hpp"
#include "heddle/base/version.hpp"
#include "heddle/config/load.hpp"
#include "heddle/config/task_title.hpp"
#include "heddle/kernels/isa.hpp"
#include "heddle/record/json.hpp"
#include "heddle/record/sweep.hpp"
#include "heddle/study/member_record.hpp"
#include "heddle/study/sweep/folder.hpp"
#include "heddle/study/sweep/measures.hpp"
#include "heddle/study/sweep/summary.hpp"
#include "heddle/study/timings.hpp"
#include "heddle/train/learner.hpp"

namespace heddle {
namespace {

constexpr const char* kMeasures = "measures.json";

/// Operations of training, roughly.
double training_work(const Config& config) {
  double layers = 0;
  walk_settings(config, [&]<class T>(const Field<T>& field) {
    if constexpr (std::is_same_v<typename Field<T>::Value, std::int64_t>)
      if (field.path.ends_with("layers")) layers += static_cast<double>(field.value);
  });
  const auto d = static_cast<double>(config.model.d_model),
             wide = static_cast<double>(2 * config.model.d_model + config.model.d_ff);
  return static_cast<double>(config.train.steps * config.train.batch) * layers * d * wide;
}

/// There is room for what is known of every member.
void check_members(const SweepGrid& grid) {
  constexpr double kMember = 2 * sizeof(StudyMember);  // its texts take as much
  auto count = static_cast<double>(grid.seeds);
  for (const SweepAxis& axis : grid.axes) count *= static_cast<double>(axis.values.size());
  check_memory<UsageError>(kMember * count,
                           fmt::format("a sweep of {} members ({} seeds)", count, grid.seeds));
}

/// Settings that go together, and data that exists.
void check_cells(const SweepGrid& grid) {
  for (const SweepCell& cell : cells_of(grid)) {
    try {
      (void)Learner(cell.config);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("the cell {}: {}", cell.name, error.what()));
    }
  }
}

std::vector<SweepPoint> points_of(const TrainingLog& log) {
  std::vector<SweepPoint> points;
  for (const LogRow& row : log.rows)
    points.push_back(
        {.step = row.step,
         .train_loss = row.train_loss,
         .validation_loss = row.validation_loss,
         .accuracy = row.greedy.total > 0 ? row.greedy.share() : row.accuracy.share()});
  return points;
}

StudyMember make_swept(const SweepCell& cell, std::int64_t number) {
  constexpr double kTraining = 0.8;  // share of a member's time, about
  StudyMember member;
  member.config = cell.config;
  member.config.seed += static_cast<std::uint64_t>(number);
  member.name = fmt::format("{}/seed-{}", cell.name, member.config.seed);
  member.label = fmt::format("{}, seed {}", cell.label, member.config.seed);
  member.work = training_work(member.config);
  member.training_part = kTraining;
  return member;
}

std::string note_of(const SweepMeasured& measured) {
  if (!measured.failure.empty()) return measured.failure;
  const Measure& first = measured.measures.front();
  return fmt::format("{} of {} right ({})", format_count(first.correct), format_count(first.total),
                     first.name);
}

SweepCellRecord cell_record(const SweepCell& cell) {
  SweepCellRecord record;
  record.name = cell.name;
  record.label = cell.label;
  record.values = cell.values;
  record.defect = cell.config.defect_note();
  record.config = config_json(cell.config);
  return record;
}

class SweepParts {
 public:
  explicit SweepParts(const SweepGrid& grid) : grid_(grid), cells_(cells_of(grid)) {
    for (const SweepCell& cell : cells_)
      for (std::int64_t i = 0; i < grid.seeds; ++i) {
        members_.push_back(make_swept(cell, i));
        cell_of_.push_back(&cell);
      }
  }

  const SweepGrid& grid() const { return grid_; }
  const std::vector<StudyMember>& members() const { return members_; }

  ExamResult examine(std::size_t index, const ExamRequest& request) const {
    SweepMeasured measured;
    measured.failure = request.diverged;
    if (measured.failure.empty())
      measured.measures = measure_run(request.run, members_[index].config, request.team,
                                      [&] { request.progress(0); });
    return {.record = to_tree(measured), .note = note_of(measured)};
  }

  std::string conclude(const ConcludeRequest& request) const {
    SweepStudy study;
    study.version = kVersion;
    study.isa = kernels::isa();
    study.task = task_title(grid_.base.task);
    study.command = sweep_command(grid_);
    for (const SweepAxis& axis : grid_.axes)
      study.axes.push_back({.setting = axis.setting, .name = axis.name(), .values = axis.values});
    for (std::int64_t i = 0; i < grid_.seeds; ++i)
      study.seeds.push_back(grid_.base.seed + static_cast<std::uint64_t>(i));
    for (const SweepCell& cell : cells_) study.cells.push_back(cell_record(cell));
    for (std::size_t i = 0; i < members_.size(); ++i)
      study.members.push_back(member_record(i, request.folder));
    summarise_sweep(study);
    return json_line(to_tree(study));
  }

 private:
  SweepMember member_record(std::size_t index, const std::string& folder) const {
    const StudyMember& swept = members_[index];
    const std::string run = fmt::format("{}/{}", folder, swept.folder());
    const TrainingLog log = training_log_of(run);
    const auto measured = read_member_record<SweepMeasured>(fmt::format("{}/{}", run, kMeasures));
    SweepMember member;
    member.cell = cell_of_[index]->name;
    member.seed = swept.config.seed;
    member.run = swept.folder();
    member.failure = measured.failure;
    member.steps = swept.config.train.steps;
    member.samples = swept.config.train.steps * swept.config.train.batch;
    member.best_step = log.best_step;
    member.config_hash = config_hash(swept.config);
    member.data_hash = log.data_hash;
    for (const Warning& warning : log.warnings) member.watchdogs.push_back(text_of(warning));
    for (const Measure& measure : measured.measures) member.scores.push_back(score_of(measure));
    member.log = points_of(log);
    return member;
  }

  SweepGrid grid_;
  std::vector<SweepCell> cells_;
  std::vector<StudyMember> members_;
  std::vector<const SweepCell*> cell_of_;  // each member
};

}  // namespace

Study sweep_study(const SweepGrid& grid) {
  check_members(grid);
  check_cells(grid);
  return known_sweep_study(grid);
}

Study known_sweep_study(const SweepGrid& grid) {
  check_members(grid);
  const auto parts = std::make_shared<const SweepParts>(grid);
  return {
      .kind = StudyKind::sweep,
      .command = sweep_command(grid),
      .members = parts->members(),
      .record_file = kMeasures,
      .keep_diverged = true,
      .claim_folder =
          [parts](const std::string& folder) { claim_sweep_folder(folder, parts->grid()); },
      .examine = [parts](std::size_t member,
                         const ExamRequest& request) { return parts->examine(member, request); },
      .conclude = [parts](const ConcludeRequest& request) { return parts->conclude(request); }};
}

}  // namespace heddle
