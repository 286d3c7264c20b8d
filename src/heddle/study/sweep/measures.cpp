// See measures.hpp.
#include "heddle/study/sweep/measures.hpp"

#include <algorithm>
#include <set>
#include <span>

#include "heddle/base/file.hpp"
#include "heddle/config/sequences.hpp"
#include "heddle/eval/score.hpp"
#include "heddle/eval/sortedness.hpp"
#include "heddle/record/training_log.hpp"
#include "heddle/task/registry.hpp"

namespace heddle {
namespace {

using Between = std::function<void()>;

std::function<void(Index, Index)> progress_of(const Between& between) {
  return [&between](Index, Index) {
    if (between) between();
  };
}

Measure measure(std::string name, const Count& count, double chance = -1) {
  return {
      .name = std::move(name), .correct = count.correct, .total = count.total, .chance = chance};
}

/// One adjacent pair swapped, whatever trains: so that every sweep has it; then the kinds that
/// train.
std::vector<NegativeKind> kinds_asked(const Config& config) {
  std::vector<NegativeKind> kinds{NegativeKind::adjacent};
  for (const NegativeKind kind : parse_kinds(config.task.kinds))
    if (kind != NegativeKind::adjacent) kinds.push_back(kind);
  return kinds;
}

Measure measure_set(const ExamSetup& setup, const Config& config, NegativeKind kind, Index length) {
  constexpr Index kCount = 400;
  constexpr double kGuess = 0.5;
  const bool dip = kind == NegativeKind::dip;
  const SetSpec spec{.length = length,
                     .kind = kind,
                     .delta = dip ? 1 : 0,
                     .values = ValueKind::uniform,
                     .count = kCount,
                     .seed = kSetSeed};
  const SortCell cell = score_set(setup, config, spec, kTrainedThreshold);
  return measure(fmt::format("{}{} at {}", cell.kind, dip ? "1" : "", length),
                 {.correct = cell.correct, .total = cell.total}, kGuess);
}

/// The hard kind far beyond the training lengths and at the longest of them, then the other kinds,
/// then the last validation.
std::vector<Measure> measure_by_length(const std::string& run, const Member& member,
                                       const ExamSetup& setup) {
  constexpr Index kFar = 256;
  constexpr double kGuess = 0.5;
  const bool ends = member.config.model.position == PositionKind::learned &&
                    member.config.model.position_past_end == PastEndKind::reject;
  const Index longest = parse_lengths(member.config.task.lengths).most;
  std::set<Index, std::greater<>> lengths{longest};
  if (!ends) lengths.insert(kFar);
  std::vector<Measure> measures;
  const auto ask = [&](std::span<const NegativeKind> kinds) {
    for (const Index length : lengths)
      for (const NegativeKind kind : kinds)
        measures.push_back(measure_set(setup, member.config, kind, length));
  };
  const std::vector<NegativeKind> kinds = kinds_asked(member.config);
  ask(std::span(kinds).first(1));
  ask(std::span(kinds).subspan(1));
  const TrainingLog log = read_training_log(run + "/training_log.json");
  if (!log.rows.empty())
    measures.push_back(measure("last validation", log.rows.back().accuracy, kGuess));
  return measures;
}

/// The questions of the test: whole answers, forced and greedy together, or labels. Guessing scores
/// what the most frequent label has.
std::vector<Measure> measure_test(const Task& task, const ExamSetup& setup) {
  const Score score = score_questions(setup, task, "test", task.test());
  if (score.labels()) return {measure("accuracy", score.accuracy, score.most_true())};
  return {measure("greedy exact match", score.greedy),
          measure("teacher-forced exact match", score.teacher_forced),
          measure("tokens", score.teacher_forced_tokens)};
}

}  // namespace

std::vector<Measure> measure_run(const std::string& run, const Config& config, Team& team,
                                 const std::function<void()>& between) {
  const Member member = load_member(run);
  const auto task = make_task(config);
  const ExamSetup setup = exam_setup(member, team, progress_of(between));
  return task->traits().sets_by_length ? measure_by_length(run, member, setup)
                                       : measure_test(*task, setup);
}

}  // namespace heddle
