// See sortedness.hpp.
#include "heddle/study/sortedness/sortedness.hpp"

#include <chrono>
#include <deque>

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/base/version.hpp"
#include "heddle/config/load.hpp"
#include "heddle/config/sequences.hpp"
#include "heddle/kernels/isa.hpp"
#include "heddle/lens/explain/explain.hpp"
#include "heddle/model/classifier/hand_built.hpp"
#include "heddle/record/json.hpp"
#include "heddle/record/tree.hpp"
#include "heddle/study/jobs.hpp"
#include "heddle/study/sortedness/claims.hpp"
#include "heddle/study/sortedness/exam.hpp"
#include "heddle/study/sortedness/population.hpp"
#include "heddle/train/loop.hpp"

namespace heddle {
namespace {

constexpr const char* kScores = "/scores.json";

/// One member: where it lives and what it is.
struct MemberPlace {
  const SortRecipe* recipe = nullptr;
  Config config;
  std::string run;
};

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Operations of training, roughly: what shares the progress bar out.
double work_of(const Config& config) {
  const auto d = static_cast<double>(config.model.d_model);
  return static_cast<double>(config.train.steps * config.train.batch * config.model.layers) * d * d;
}

class Study {
 public:
  Study(const SortPlan& plan, std::string folder)
      : plan_(plan), folder_(std::move(folder)), recipes_(sort_recipes(plan.tuned, plan.scale)) {
    for (const SortRecipe& recipe : recipes_)
      for (std::int64_t i = 0; i < recipe.seeds; ++i) {
        MemberPlace place{.recipe = &recipe, .config = recipe.config, .run = {}};
        place.config.seed += static_cast<std::uint64_t>(i);
        place.run = fmt::format("{}/members/{}-{}", folder_, recipe.name, place.config.seed);
        places_.push_back(std::move(place));
      }
  }

  void run(const StudyObserver& observer) {
    std::vector<StudyJob> jobs;
    for (const MemberPlace& place : places_)
      jobs.push_back({.name = name_of(place),
                      .work = work_of(place.config),
                      .run = [&](Team& team, const JobProgress& progress) {
                        run_member(place, team, progress, observer);
                      }});
    run_jobs(jobs, plan_.threads, observer);
  }

  void write_results() const {
    SortednessStudy study;
    study.version = kVersion;
    study.isa = kernels::isa();
    study.preset = plan_.preset;
    study.command = plan_.command;
    study.scale = named_values(plan_.scale);
    study.config = config_json(plan_.tuned);
    study.learned_bar = kLearnedBar;
    const LengthRange lengths = parse_lengths(plan_.tuned.task.lengths);
    study.train_shortest = lengths.least;
    study.train_longest = lengths.most;
    for (const MemberPlace& place : places_) study.members.push_back(load_record(place));
    for (const SortRecipe& recipe : recipes_)
      study.populations.push_back(summarise_sorters(recipe, study.members));
    study.explanations = explain(study.members);
    study.claims = judge_sort_claims(study.members);
    study.reproductions = reproduce_sort_reports(study.members);
    write_file(folder_ + "/results.json", json_line(to_tree(study)));
    write_timings();
  }

 private:
  static std::string name_of(const MemberPlace& place) {
    return fmt::format("{} {}", place.recipe->name, place.config.seed);
  }

  void run_member(const MemberPlace& place, Team& team, const JobProgress& progress,
                  const StudyObserver& observer) const {
    constexpr double kTraining = 0.7;  // share of a member's time
    if (file_exists(place.run + kScores)) {
      progress(1, name_of(place) + " was done");
      return;
    }
    if (place.recipe->group == "hand-built") {
      save_hand_built(place.run);
    } else {
      train(place, team, observer,
            [&](double share) { progress(kTraining * share, "training " + name_of(place)); });
    }
    const auto begin = std::chrono::steady_clock::now();
    const Member member = load_member(place.run);
    const SortMember record =
        examine_member(*place.recipe, member, log_of(place), plan_.scale, team, [&](double share) {
          progress(kTraining + (1 - kTraining) * share, "asking " + name_of(place));
        });
    write_file(place.run + "/timing.json", json_line(Json{{"recipe", place.recipe->name},
                                                          {"seed", place.config.seed},
                                                          {"exam_seconds", seconds_since(begin)}}));
    write_file(place.run + kScores, json_line(to_tree(record)));
    progress(1, name_of(place) + " is done");
  }

  static void train(const MemberPlace& place, Team& team, const StudyObserver& observer,
                    const std::function<void(double)>& progress) {
    TrainObserver train_observer;
    train_observer.stop = [&] { return observer.stop && observer.stop(); };
    train_observer.stepped = [&](const TrainProgress& at) {
      constexpr std::int64_t kOften = 20;
      if (at.step % kOften != 0 || train_observer.stop()) return;
      progress(static_cast<double>(at.step) / static_cast<double>(at.steps));
    };
    if (train_run(place.config, place.run, team, train_observer) == TrainOutcome::stopped)
      throw StudyStopped("stopped");
  }

  /// Empty for a member that no training made.
  static TrainingLog log_of(const MemberPlace& place) {
    const std::string path = place.run + "/training_log.json";
    return file_exists(path) ? parse_training_log(read_file(path)) : TrainingLog{};
  }

  static SortMember load_record(const MemberPlace& place) {
    const std::string path = place.run + kScores;
    try {
      return from_tree<SortMember>(Json::parse(read_file(path)));
    } catch (const Json::exception& error) {
      throw FileError(fmt::format("{} is damaged ({}); remove it and run the study again",
                                  quote_path(path), error.what()));
    }
  }

  /// The first seeds of every recipe, as trained and as drawn, asked why they do what they do.
  std::vector<SortExplanation> explain(const std::vector<SortMember>& records) const {
    constexpr std::uint64_t kSeeds = 3;
    std::deque<Member> loaded, drawn;  // a deque leaves what it holds in place
    std::vector<ExplainMember> members;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const MemberPlace& place = places_[i];
      if (place.config.seed >= place.recipe->config.seed + kSeeds) continue;
      loaded.push_back(load_member(place.run));
      drawn.push_back(make_member(place.config));
      members.push_back({.recipe = place.recipe->name,
                         .seed = place.config.seed,
                         .member = loaded.back(),
                         .start = &drawn.back().weights,
                         .cells = records[i].cells});
    }
    ExplainScale scale;
    scale.pairs = plan_.scale.explain_pairs;
    return explain_sortedness(members, scale);
  }

  void write_timings() const {
    Json members = Json::array();
    for (const MemberPlace& place : places_) {
      Json row = Json::parse(read_file(place.run + "/timing.json"));
      const TrainingLog log = log_of(place);
      row["train_seconds"] = log.rows.empty() ? 0 : log.rows.back().seconds;
      members.push_back(row);
    }
    write_file(folder_ + "/timings.json",
               json_line(Json{{"threads", plan_.threads}, {"members", members}}));
  }

  const SortPlan& plan_;
  std::string folder_;
  std::vector<SortRecipe> recipes_;
  std::vector<MemberPlace> places_;
};

/// What must be the same for a study to be the same.
std::string identity_of(const SortPlan& plan) {
  return json_line(Json{{"study", "sortedness"},
                        {"version", kVersion},
                        {"isa", kernels::isa()},
                        {"preset", plan.preset},
                        {"scale", to_tree(plan.scale)},
                        {"config", Json::parse(config_json(plan.tuned))}});
}

}  // namespace

StudyOutcome run_sortedness_study(const SortPlan& plan, const std::string& folder,
                                  const StudyObserver& observer) {
  validate(plan.tuned);
  make_folder(folder);
  const FolderLock lock(folder);
  claim_study_folder(folder, identity_of(plan));
  Study study(plan, folder);
  try {
    study.run(observer);
    study.write_results();
  } catch (const StudyStopped&) {
    return StudyOutcome::stopped;
  }
  return StudyOutcome::finished;
}

}  // namespace heddle
