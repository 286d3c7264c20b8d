// See addition.hpp.
#include "heddle/study/addition/addition.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <mutex>

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/base/version.hpp"
#include "heddle/config/load.hpp"
#include "heddle/kernels/isa.hpp"
#include "heddle/record/json.hpp"
#include "heddle/record/tree.hpp"
#include "heddle/study/addition/analyse.hpp"
#include "heddle/study/addition/best_cut.hpp"
#include "heddle/study/addition/claims.hpp"
#include "heddle/study/addition/population.hpp"
#include "heddle/study/addition/recipes.hpp"
#include "heddle/study/jobs.hpp"
#include "heddle/train/loop.hpp"

namespace heddle {
namespace {

struct Job {
  const Recipe* recipe = nullptr;
  Config config;
  std::string run;
  bool from_scratch = false;
  double work = 0;  ///< samples of training, with the analysis counted as some more
};

constexpr std::uint64_t kPictured = 2;   // members of each recipe whose attention is kept
constexpr double kAnalysisWork = 60000;  // samples of training that take as long, roughly

std::vector<Job> jobs_of(std::span<const Recipe> recipes, const StudyScale& scale,
                         const std::string& folder) {
  std::vector<Job> jobs;
  for (const Recipe& recipe : recipes)
    for (std::int64_t i = 0; i < recipe.seeds; ++i) {
      Job job{.recipe = &recipe, .config = recipe.config, .run = {}};
      job.config.seed += static_cast<std::uint64_t>(i);
      job.run = fmt::format("{}/members/{}-{}", folder, recipe.name, job.config.seed);
      job.from_scratch = recipe.name == "tuned" && i < scale.scratch_seeds;
      job.work =
          static_cast<double>(job.config.train.steps * job.config.train.batch) + kAnalysisWork +
          (job.from_scratch ? static_cast<double>(scale.scratch_steps * job.config.train.batch)
                            : 0);
      jobs.push_back(std::move(job));
    }
  return jobs;
}

std::string name_of(const Job& job) {
  return fmt::format("{} {}", job.recipe->name, job.config.seed);
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

class Study {
 public:
  Study(const StudyPlan& plan, std::string folder, const StudyObserver& observer)
      : plan_(plan),
        folder_(std::move(folder)),
        recipes_(study_recipes(plan.tuned, plan.scale)),
        jobs_(jobs_of(recipes_, plan.scale, folder_)),
        observer_(observer) {}

  void run() {
    std::vector<StudyJob> jobs;
    for (const Job& job : jobs_)
      jobs.push_back(
          {.name = name_of(job),
           .work = job.work,
           .run = [&](Team& team, const JobProgress& progress) { run_job(job, team, progress); }});
    run_jobs(jobs, plan_.threads, observer_);
  }

  void write_results() {
    AdditionStudy study;
    study.version = kVersion;
    study.isa = kernels::isa();
    study.preset = plan_.preset;
    study.command = plan_.command;
    study.scale = named_values(plan_.scale);
    study.config = config_json(plan_.tuned);
    for (const Job& job : jobs_) {
      study.members.push_back(load_record(job));
      if (job.config.seed >= job.recipe->config.seed + kPictured)
        study.members.back().pictures = {};
    }
    for (const Recipe& recipe : recipes_) {
      std::vector<MemberRecord> members;
      std::ranges::copy_if(study.members, std::back_inserter(members),
                           [&](const MemberRecord& m) { return m.recipe == recipe.name; });
      if (!members.empty())
        study.populations.push_back(summarise_population(recipe.name, recipe.description, members));
    }
    study.claims = judge_claims(study.members);
    study.reproductions = reproduce_reports(study.members);
    if (plan_.scale.census != 0) {
      Team team(plan_.threads);
      study.best_cut = census_of_best_cut(folder_, study.members, team, [&](double share) {
        if (stopped()) throw StudyStopped("stopped");
        if (observer_.progress)
          observer_.progress(1, fmt::format("census of the best cut, {:.0f} %", 100 * share));
      });
    }
    write_file(folder_ + "/results.json", json_line(to_tree(study)));
    write_timings();
  }

 private:
  const StudyScale& scale_of(const Job& job) const {
    return job.recipe->name == "tuned" ? plan_.scale : smaller_;
  }
  bool stopped() const { return observer_.stop && observer_.stop(); }

  void run_job(const Job& job, Team& team, const JobProgress& progress) {
    if (file_exists(job.run + "/analysis.json")) {
      progress(1, name_of(job) + " was done");
      return;
    }
    train(job, team, progress);
    const auto begin = std::chrono::steady_clock::now();
    const double trained =
        static_cast<double>(job.config.train.steps * job.config.train.batch) / job.work;
    const MemberRecord record =
        analyse_member({.recipe = job.recipe->name,
                        .run = job.run,
                        .scale = scale_of(job),
                        .from_scratch = job.from_scratch,
                        .team = team,
                        .progress = [&](double share) {
                          progress(trained + share * (1 - trained), "looking at " + name_of(job));
                        }});
    write_file(job.run + "/timing.json",
               json_line(Json{{"recipe", job.recipe->name},
                              {"seed", job.config.seed},
                              {"analysis_seconds", seconds_since(begin)}}));
    write_file(job.run + "/analysis.json", json_line(to_tree(record)));
    std::filesystem::remove_all(job.run + "/snapshots");  // they have said what they had to say
    progress(1, name_of(job) + " is done");
    note(fmt::format("{}: {} of {} test problems right", name_of(job),
                     format_count(record.test.greedy.correct),
                     format_count(record.test.greedy.total)));
  }

  void note(const std::string& line) {
    const std::scoped_lock lock(note_lock_);
    if (observer_.note) observer_.note(line);
  }

  void train(const Job& job, Team& team, const JobProgress& progress) {
    const auto samples = static_cast<double>(job.config.train.batch);
    TrainObserver observer;
    observer.snapshots = log_spaced(job.config.train.steps, scale_of(job).snapshots);
    observer.stop = [&] { return stopped(); };
    observer.stepped = [&](const TrainProgress& at) {
      constexpr std::int64_t kOften = 10;
      if (at.step % kOften != 0 || stopped()) return;
      progress(static_cast<double>(at.step) * samples / job.work, "training " + name_of(job));
    };
    if (train_run(job.config, job.run, team, observer) == TrainOutcome::stopped)
      throw StudyStopped("stopped");
  }

  MemberRecord load_record(const Job& job) const {
    const std::string path = job.run + "/analysis.json";
    try {
      return from_tree<MemberRecord>(Json::parse(read_file(path)));
    } catch (const Json::exception& error) {
      throw FileError(fmt::format("{} is damaged ({}); remove it and run the study again",
                                  quote_path(path), error.what()));
    }
  }

  void write_timings() const {
    Json members = Json::array();
    for (const Job& job : jobs_) {
      Json row = Json::parse(read_file(job.run + "/timing.json"));
      const TrainingLog log = parse_training_log(read_file(job.run + "/training_log.json"));
      row["train_seconds"] = log.rows.empty() ? 0 : log.rows.back().seconds;
      members.push_back(row);
    }
    write_file(folder_ + "/timings.json",
               json_line(Json{{"threads", plan_.threads}, {"members", members}}));
  }

  const StudyPlan& plan_;
  StudyScale smaller_ = for_comparison(plan_.scale);
  std::string folder_;
  std::vector<Recipe> recipes_;
  std::vector<Job> jobs_;
  const StudyObserver& observer_;
  std::mutex note_lock_;
};

/// What must be the same for a study to be the same.
std::string identity_of(const StudyPlan& plan) {
  return json_line(Json{{"version", kVersion},
                        {"isa", kernels::isa()},
                        {"preset", plan.preset},
                        {"scale", to_tree(plan.scale)},
                        {"config", Json::parse(config_json(plan.tuned))}});
}

}  // namespace

StudyOutcome run_addition_study(const StudyPlan& plan, const std::string& folder,
                                const StudyObserver& observer) {
  validate(plan.tuned);
  make_folder(folder);
  const FolderLock lock(folder);
  claim_study_folder(folder, identity_of(plan));
  Study study(plan, folder, observer);
  try {
    study.run();
    study.write_results();
  } catch (const StudyStopped&) {
    return StudyOutcome::stopped;
  }
  return StudyOutcome::finished;
}

}  // namespace heddle
