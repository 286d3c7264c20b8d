// See addition.hpp.
#include "heddle/study/addition.hpp"

#include <algorithm>
#include <atomic>
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
#include "heddle/study/analyse.hpp"
#include "heddle/study/best_cut.hpp"
#include "heddle/study/claims.hpp"
#include "heddle/study/population.hpp"
#include "heddle/study/recipes.hpp"
#include "heddle/train/loop.hpp"

namespace heddle {
namespace {

/// Somebody asked to stop; what is finished is on disk.
class StudyStopped : public Error {
 public:
  using Error::Error;
};

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

/// How far all jobs are, in work done; told to the observer one thread at a time.
class Progress {
 public:
  Progress(std::span<const Job> jobs, const StudyObserver& observer)
      : observer_(observer), shares_(jobs.size()), jobs_(jobs) {
    for (const Job& job : jobs) total_ += job.work;
  }

  /// Also the moment to stop if somebody asked.
  void tell(std::size_t job, double share, const std::string& what) {
    if (observer_.stop && observer_.stop()) throw StudyStopped("stopped");
    const std::scoped_lock lock(lock_);
    shares_[job] = share;
    double done = 0;
    for (std::size_t i = 0; i < shares_.size(); ++i) done += shares_[i] * jobs_[i].work;
    if (observer_.progress) observer_.progress(done / total_, what);
  }
  void note(const std::string& line) {
    const std::scoped_lock lock(lock_);
    if (observer_.note) observer_.note(line);
  }
  bool stopped() const { return observer_.stop && observer_.stop(); }

 private:
  const StudyObserver& observer_;
  std::mutex lock_;
  std::vector<double> shares_;
  std::span<const Job> jobs_;
  double total_ = 0;
};

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
        progress_(jobs_, observer) {}

  /// Jobs in the order of their length, the longest first; each thread takes the next one.
  void run_jobs() {
    std::vector<std::size_t> order(jobs_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return jobs_[i].work; });
    const int workers = std::clamp(plan_.threads, 1, static_cast<int>(jobs_.size()));
    Team team(workers);
    std::atomic<std::size_t> next{0};
    team.run(workers, [&](int) {
      Team own(std::max(1, plan_.threads / workers));
      for (std::size_t i = next++; i < order.size(); i = next++) run_job(order[i], own);
    });
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
        progress_.tell(0, 1, fmt::format("census of the best cut, {:.0f} %", 100 * share));
      });
    }
    write_file(folder_ + "/results.json", json_line(to_tree(study)));
    write_timings();
  }

 private:
  const StudyScale& scale_of(const Job& job) const {
    return job.recipe->name == "tuned" ? plan_.scale : smaller_;
  }
  void run_job(std::size_t number, Team& team) {
    const Job& job = jobs_[number];
    if (file_exists(job.run + "/analysis.json")) {
      progress_.tell(number, 1, name_of(job) + " was done");
      return;
    }
    train(number, team);
    const auto begin = std::chrono::steady_clock::now();
    const double trained =
        static_cast<double>(job.config.train.steps * job.config.train.batch) / job.work;
    const MemberRecord record = analyse_member(
        {.recipe = job.recipe->name,
         .run = job.run,
         .scale = scale_of(job),
         .from_scratch = job.from_scratch,
         .team = team,
         .progress = [&](double share) {
           progress_.tell(number, trained + share * (1 - trained), "looking at " + name_of(job));
         }});
    write_file(job.run + "/timing.json",
               json_line(Json{{"recipe", job.recipe->name},
                              {"seed", job.config.seed},
                              {"analysis_seconds", seconds_since(begin)}}));
    write_file(job.run + "/analysis.json", json_line(to_tree(record)));
    std::filesystem::remove_all(job.run + "/snapshots");  // they have said what they had to say
    progress_.tell(number, 1, name_of(job) + " is done");
    progress_.note(fmt::format("{}: {} of {} test problems right", name_of(job),
                               format_count(record.test.greedy.correct),
                               format_count(record.test.greedy.total)));
  }

  void train(std::size_t number, Team& team) {
    const Job& job = jobs_[number];
    const auto samples = static_cast<double>(job.config.train.batch);
    TrainObserver observer;
    observer.snapshots = log_spaced(job.config.train.steps, scale_of(job).snapshots);
    observer.stop = [&] { return progress_.stopped(); };
    observer.stepped = [&](const TrainProgress& at) {
      constexpr std::int64_t kOften = 10;
      if (at.step % kOften != 0 || progress_.stopped()) return;
      progress_.tell(number, static_cast<double>(at.step) * samples / job.work,
                     "training " + name_of(job));
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
  Progress progress_;
};

/// What must be the same for a study to be the same.
std::string identity_of(const StudyPlan& plan) {
  return json_line(Json{{"version", kVersion},
                        {"isa", kernels::isa()},
                        {"preset", plan.preset},
                        {"scale", to_tree(plan.scale)},
                        {"config", Json::parse(config_json(plan.tuned))}});
}

/// Refuses a folder that holds another study.
void claim_folder(const StudyPlan& plan, const std::string& folder) {
  const std::string path = folder + "/study.json", identity = identity_of(plan);
  if (!file_exists(path)) {
    write_file(path, identity);
    return;
  }
  check<UsageError>(read_file(path) == identity,
                    "{} holds a study with other settings (its study.json says which); choose "
                    "another --out",
                    quote_path(folder));
}

}  // namespace

StudyOutcome run_addition_study(const StudyPlan& plan, const std::string& folder,
                                const StudyObserver& observer) {
  validate(plan.tuned);
  make_folder(folder);
  const FolderLock lock(folder);
  claim_folder(plan, folder);
  Study study(plan, folder, observer);
  try {
    study.run_jobs();
    study.write_results();
  } catch (const StudyStopped&) {
    return StudyOutcome::stopped;
  }
  return StudyOutcome::finished;
}

}  // namespace heddle
