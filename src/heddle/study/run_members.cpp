// See run_members.hpp.
#include "heddle/study/run_members.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "heddle/base/checked_json.hpp"
#include "heddle/base/file.hpp"
#include "heddle/base/interrupt.hpp"
#include "heddle/base/text.hpp"
#include "heddle/record/results_file.hpp"
#include "heddle/study/folder_lock.hpp"
#include "heddle/study/progress_board.hpp"
#include "heddle/study/timings.hpp"
#include "heddle/train/population.hpp"

namespace heddle {
namespace {

constexpr int kLookAgain = 100;  // milliseconds between looks at members that others are doing

std::string run_of(const std::string& folder, const StudyMember& member) {
  return fmt::format("{}/{}", folder, member.folder());
}

bool is_done(const Study& study, const std::string& folder, const StudyMember& member) {
  return file_exists(fmt::format("{}/{}", run_of(folder, member), study.record_file));
}

class MembersRun {
 public:
  MembersRun(const Study& study, const std::string& folder, const RunOptions& options,
             const StudyObserver& observer)
      : study_(study),
        folder_(folder),
        options_(options),
        left_(members_left(observer)),
        board_(study, left_, observer),
        locks_(study.members.size()) {}

  /// Passes over what is left until nothing is: most members in the first, then those that
  /// another process had and did not finish.
  void run() {
    std::vector<std::size_t> left = left_;
    for (bool waiting = false; !left.empty();) {
      if (std::ranges::any_of(left, [&](std::size_t member) { return is_free(member); })) {
        train_and_examine(left);
      } else {
        if (!waiting) board_.note(waiting_note(left));
        waiting = true;
        pause_for(kLookAgain);
      }
      board_.throw_if_stopped();
      std::erase_if(left, [&](std::size_t member) { return found_done(member); });
    }
  }

 private:
  const StudyMember& at(std::size_t member) const { return study_.members[member]; }

  /// The progress bar counts these.
  std::vector<std::size_t> members_left(const StudyObserver& observer) const {
    std::vector<std::size_t> asked, left;
    for (std::size_t i = 0; i < study_.members.size(); ++i)
      if (!options_.only || *options_.only == i) asked.push_back(i);
    std::ranges::copy_if(asked, std::back_inserter(left),
                         [&](std::size_t member) { return !is_done(study_, folder_, at(member)); });
    for (const std::size_t member : asked)  // of a process that died just after its record
      if (!std::ranges::binary_search(left, member)) remove_snapshots(member);
    const std::size_t done = asked.size() - left.size();
    if (done > 0 && observer.note)
      observer.note(options_.only
                        ? fmt::format("{} is done already", at(asked.front()).label)
                        : fmt::format("{} of {} members are done already", done, asked.size()));
    return left;
  }

  /// Done, whoever did it.
  bool found_done(std::size_t member) {
    if (!is_done(study_, folder_, at(member))) return false;
    board_.set(member, 1, at(member).label + " is done");
    return true;
  }

  /// The record has what they show.
  void remove_snapshots(std::size_t member) const {
    const std::string snapshots = run_of(folder_, at(member)) + "/snapshots";
    check<FileError>(remove_all(snapshots), "cannot remove {}", quote_path(snapshots));
  }

  std::string waiting_note(const std::vector<std::size_t>& left) const {
    return left.size() == 1
               ? fmt::format("{} is being done by another heddle: waiting", at(left.front()).label)
               : fmt::format("{} members are being done by others: waiting", left.size());
  }

  /// Whether nobody holds the member just now.
  bool is_free(std::size_t member) {
    const bool free = lock(member);
    locks_[member].reset();
    return free;
  }

  bool lock(std::size_t member) {
    const std::filesystem::path run = run_of(folder_, at(member));
    make_folder(run.parent_path());
    try {
      locks_[member].emplace(run.parent_path(), member_lock(run.filename()));
    } catch (const FolderInUse&) {
      return false;
    }
    return true;
  }

  void train_and_examine(const std::vector<std::size_t>& members) {
    std::vector<Config> configs;
    PopulationOptions population;
    for (const std::size_t member : members) {
      configs.push_back(at(member).config);
      population.runs.push_back(run_of(folder_, at(member)));
      population.work.push_back(at(member).work);
    }
    population.threads = options_.threads;
    population.keep_diverged = study_.keep_diverged;
    population.turn = [&](std::size_t i) { return take(members[i]); };
    population.observer = [&](std::size_t i) { return training_observer(members[i]); };
    population.trained = [&](std::size_t i, const TrainedMember& how, Team& team) {
      examine(members[i], how, team);
    };
    for (const std::optional<TrainedMember>& how : train_population(configs, population))
      if (how && how->outcome == TrainOutcome::stopped) throw StudyStopped("stopped");
  }

  /// The lock is held until the record is there.
  MemberTurn take(std::size_t member) {
    board_.throw_if_stopped();
    if (!lock(member)) return MemberTurn::skip;
    if (is_done(study_, folder_, at(member))) {
      locks_[member].reset();
      return MemberTurn::skip;
    }
    if (!at(member).write_weights) return MemberTurn::train;
    at(member).write_weights(run_of(folder_, at(member)));
    return MemberTurn::has_weights;
  }

  TrainObserver training_observer(std::size_t member) {
    TrainObserver observer;
    observer.snapshots = at(member).snapshots;
    observer.stop = [this] { return board_.stopped(); };
    observer.stepped = [this, member](const TrainProgress& now) {
      constexpr std::int64_t kOften = 10;
      if (now.step % kOften != 0 || board_.stopped()) return;
      const double share = static_cast<double>(now.step) / static_cast<double>(now.steps);
      board_.set(member, at(member).training_part * share, "training " + at(member).label);
    };
    return observer;
  }

  void examine(std::size_t member, const TrainedMember& how, Team& team) {
    const auto begin = std::chrono::steady_clock::now();
    const double trained = at(member).training_part;
    const ExamRequest request{.run = run_of(folder_, at(member)),
                              .diverged = how.diverged,
                              .team = team,
                              .progress = [&](double share) {
                                board_.set(member, trained + (1 - trained) * share,
                                           "examining " + at(member).label);
                              }};
    const ExamResult result = study_.examine(member, request);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    write_timing(
        request.run,
        {.member = at(member).name, .threads = team.size(), .exam_seconds = taken.count()});
    write_checked_json(fmt::format("{}/{}", request.run, study_.record_file), result.record);
    remove_snapshots(member);  // the record has what they show
    locks_[member].reset();
    board_.set(member, 1, at(member).label + " is done");
    if (!result.note.empty()) board_.note(fmt::format("{}: {}", at(member).label, result.note));
  }

  const Study& study_;
  const std::string& folder_;
  const RunOptions& options_;
  std::vector<std::size_t> left_;
  ProgressBoard board_;
  std::vector<std::optional<FolderLock>> locks_;  // of the members in work here
};

void check_complete(const Study& study, const std::string& folder) {
  constexpr std::size_t kMostNames = 20;
  std::vector<std::string> missing = missing_members(study, folder);
  if (missing.empty()) return;
  const std::size_t count = missing.size();
  if (count > kMostNames) {
    missing.resize(kMostNames);
    missing.push_back(fmt::format("{} more", count - kMostNames));
  }
  throw Error(
      fmt::format("{} of {} members of {} are missing ({}); make each with: heddle member "
                  "{} NAME",
                  count, study.members.size(), quote_path(folder), join(missing, ", "), folder));
}

}  // namespace

StudyOutcome run_members(const Study& study, const std::string& folder, const RunOptions& options,
                         const StudyObserver& observer) {
  try {
    MembersRun(study, folder, options, observer).run();
  } catch (const StudyStopped&) {
    return StudyOutcome::stopped;
  }
  return StudyOutcome::finished;
}

std::string member_lock(const std::string& folder_name) {
  return fmt::format(".{}.lock", folder_name);
}

std::vector<std::string> missing_members(const Study& study, const std::string& folder) {
  std::vector<std::string> missing;
  for (const StudyMember& member : study.members)
    if (!is_done(study, folder, member)) missing.push_back(member.name);
  return missing;
}

StudyOutcome conclude_study(const Study& study, const std::string& folder, int threads,
                            const StudyObserver& observer) {
  check_complete(study, folder);
  try {
    const FolderLock lock = wait_for_folder(folder, observer);
    const ConcludeRequest request{
        .folder = folder, .threads = threads, .progress = [&](const std::string& what) {
          if (observer.stop && observer.stop()) throw StudyStopped("stopped");
          if (observer.progress) observer.progress(1, what);
        }};
    write_results(folder, study.conclude(request));
    write_timings(study, folder);
  } catch (const StudyStopped&) {
    return StudyOutcome::stopped;
  }
  return StudyOutcome::finished;
}

}  // namespace heddle
