// See sweep.hpp.
#include "heddle/study/sweep/sweep.hpp"

#include <chrono>
#include <mutex>

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/base/version.hpp"
#include "heddle/config/load.hpp"
#include "heddle/kernels/isa.hpp"
#include "heddle/record/json.hpp"
#include "heddle/record/sweep.hpp"
#include "heddle/record/training_log.hpp"
#include "heddle/record/tree.hpp"
#include "heddle/study/jobs.hpp"
#include "heddle/study/sweep/folder.hpp"
#include "heddle/study/sweep/measures.hpp"
#include "heddle/study/sweep/summary.hpp"
#include "heddle/train/learner.hpp"
#include "heddle/train/loop.hpp"

namespace heddle {
namespace {

constexpr const char* kMeasures = "/measures.json";
constexpr double kTraining = 0.8;  // share of a member's time, about

struct MemberPlace {
  const SweepCell* cell = nullptr;
  Config config;
  std::string run, folder;  ///< from the sweep's folder, and whole
};

std::string name_of(const MemberPlace& place) {
  return fmt::format("{}, seed {}", place.cell->label, place.config.seed);
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Operations of training, roughly: what shares the progress bar out.
double work_of(const Config& config) {
  double layers = 0;
  walk_settings(config, [&]<class T>(const Field<T>& field) {
    if constexpr (std::is_same_v<typename Field<T>::Value, std::int64_t>)
      if (field.path.ends_with("layers")) layers += static_cast<double>(field.value);
  });
  const auto d = static_cast<double>(config.model.d_model),
             wide = static_cast<double>(2 * config.model.d_model + config.model.d_ff);
  return static_cast<double>(config.train.steps * config.train.batch) * layers * d * wide;
}

/// Cells that can be: settings that go together, and data that exists.
std::vector<SweepCell> checked_cells(const SweepGrid& grid) {
  std::vector<SweepCell> cells = cells_of(grid);
  for (const SweepCell& cell : cells) {
    try {
      (void)make_learner(cell.config);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("the cell {}: {}", cell.name, error.what()));
    }
  }
  return cells;
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

class Sweep {
 public:
  Sweep(const SweepPlan& plan, std::vector<SweepCell> cells, const std::string& folder)
      : plan_(plan), cells_(std::move(cells)), folder_(folder) {
    for (const SweepCell& cell : cells_)
      for (std::int64_t i = 0; i < plan.grid.seeds; ++i) {
        MemberPlace place{.cell = &cell, .config = cell.config, .run = "", .folder = ""};
        place.config.seed += static_cast<std::uint64_t>(i);
        place.run = fmt::format("members/{}/seed-{}", cell.name, place.config.seed);
        place.folder = folder + "/" + place.run;
        places_.push_back(std::move(place));
      }
  }

  void run(const StudyObserver& observer) {
    std::vector<StudyJob> jobs;
    for (const MemberPlace& place : places_)
      if (!file_exists(place.folder + kMeasures))  // the bar counts what is left to do
        jobs.push_back({.name = name_of(place),
                        .work = work_of(place.config),
                        .run = [&](Team& team, const JobProgress& progress) {
                          run_member(place, team, progress, observer);
                        }});
    const std::size_t done = places_.size() - jobs.size();
    if (done > 0 && observer.note)
      observer.note(fmt::format("{} of {} members are done already", done, places_.size()));
    run_jobs(jobs, plan_.threads, observer);
  }

  void write_results() const {
    SweepStudy study;
    study.version = kVersion;
    study.isa = kernels::isa();
    study.task = field_text(plan_.grid.base.task.name);
    study.command = sweep_command(plan_.grid);
    for (const SweepAxis& axis : plan_.grid.axes)
      study.axes.push_back({.setting = axis.setting, .name = axis.name(), .values = axis.values});
    for (std::int64_t i = 0; i < plan_.grid.seeds; ++i)
      study.seeds.push_back(plan_.grid.base.seed + static_cast<std::uint64_t>(i));
    for (const SweepCell& cell : cells_) study.cells.push_back(cell_record(cell));
    for (const MemberPlace& place : places_) study.members.push_back(member_record(place));
    summarise_sweep(study);
    write_file(folder_ + "/results.json", json_line(to_tree(study)));
    write_timings();
  }

 private:
  void run_member(const MemberPlace& place, Team& team, const JobProgress& progress,
                  const StudyObserver& observer) {
    SweepMeasured measured;
    const auto begin = std::chrono::steady_clock::now();
    try {
      train(place, team, observer,
            [&](double share) { progress(kTraining * share, "training " + name_of(place)); });
      measured.measures = measure_run(place.folder, place.config, team,
                                      [&] { progress(kTraining, "asking " + name_of(place)); });
    } catch (const TrainingDiverged& error) {
      measured.failure = error.what();
    }
    write_file(place.folder + "/timing.json", json_line(Json{{"cell", place.cell->name},
                                                             {"seed", place.config.seed},
                                                             {"seconds", seconds_since(begin)}}));
    write_file(place.folder + kMeasures, json_line(to_tree(measured)));
    progress(1, name_of(place) + " is done");
    const std::scoped_lock lock(note_lock_);
    if (observer.note) observer.note(said_of(place, measured));
  }

  static std::string said_of(const MemberPlace& place, const SweepMeasured& measured) {
    if (!measured.failure.empty()) return fmt::format("{}: {}", name_of(place), measured.failure);
    const Measure& first = measured.measures.front();
    return fmt::format("{}: {} of {} right ({})", name_of(place), format_count(first.correct),
                       format_count(first.total), first.name);
  }

  static void train(const MemberPlace& place, Team& team, const StudyObserver& observer,
                    const std::function<void(double)>& progress) {
    TrainObserver train_observer;
    train_observer.stop = [&] { return observer.stop && observer.stop(); };
    train_observer.stepped = [&](const TrainProgress& at) {
      constexpr std::int64_t kOften = 10;
      if (at.step % kOften != 0 || train_observer.stop()) return;
      progress(static_cast<double>(at.step) / static_cast<double>(at.steps));
    };
    if (train_run(place.config, place.folder, team, train_observer) == TrainOutcome::stopped)
      throw StudyStopped("stopped");
  }

  static SweepCellRecord cell_record(const SweepCell& cell) {
    SweepCellRecord record;
    record.name = cell.name;
    record.label = cell.label;
    record.values = cell.values;
    record.defect = cell.config.defect_note();
    record.config = config_json(cell.config);
    return record;
  }

  /// Of a training that came to nothing there may be no log.
  static TrainingLog log_of(const MemberPlace& place) {
    const std::string path = place.folder + "/training_log.json";
    return file_exists(path) ? parse_training_log(read_file(path)) : TrainingLog{};
  }

  static SweepMember member_record(const MemberPlace& place) {
    const TrainingLog log = log_of(place);
    const SweepMeasured measured = measured_of(place);
    SweepMember member;
    member.cell = place.cell->name;
    member.seed = place.config.seed;
    member.run = place.run;
    member.failure = measured.failure;
    member.steps = place.config.train.steps;
    member.samples = place.config.train.steps * place.config.train.batch;
    member.best_step = log.best_step;
    member.config_hash = config_hash(place.config);
    member.data_hash = log.data_hash;
    for (const Warning& warning : log.warnings)
      member.watchdogs.push_back(fmt::format("{}: {}", warning.watchdog, warning.message));
    for (const Measure& measure : measured.measures) member.scores.push_back(score_of(measure));
    member.log = points_of(log);
    return member;
  }

  static SweepMeasured measured_of(const MemberPlace& place) {
    const std::string path = place.folder + kMeasures;
    const auto damaged = [&](const char* what) {
      return FileError(fmt::format("{} is damaged ({}); remove it and run the sweep again",
                                   quote_path(path), what));
    };
    try {
      return from_tree<SweepMeasured>(Json::parse(read_file(path)));
    } catch (const FileError&) {
      throw;
    } catch (const Json::exception& error) {
      throw damaged(error.what());
    } catch (const Error& error) {
      throw damaged(error.what());
    }
  }

  void write_timings() const {
    Json members = Json::array();
    for (const MemberPlace& place : places_) {
      Json row = Json::parse(read_file(place.folder + "/timing.json"));
      const TrainingLog log = log_of(place);
      row["train_seconds"] = log.rows.empty() ? 0 : log.rows.back().seconds;
      members.push_back(row);
    }
    write_file(folder_ + "/timings.json",
               json_line(Json{{"threads", plan_.threads}, {"members", members}}));
  }

  const SweepPlan& plan_;
  std::vector<SweepCell> cells_;
  std::string folder_;
  std::vector<MemberPlace> places_;
  std::mutex note_lock_;
};

}  // namespace

StudyOutcome run_sweep(const SweepPlan& plan, const std::string& folder,
                       const StudyObserver& observer) {
  std::vector<SweepCell> cells = checked_cells(plan.grid);
  make_folder(folder);
  const FolderLock lock(folder);
  claim_sweep_folder(folder, plan.grid);
  Sweep sweep(plan, std::move(cells), folder);
  try {
    sweep.run(observer);
    sweep.write_results();
  } catch (const StudyStopped&) {
    return StudyOutcome::stopped;
  }
  return StudyOutcome::finished;
}

}  // namespace heddle
