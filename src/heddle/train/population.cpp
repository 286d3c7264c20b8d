// See population.hpp.
#include "heddle/train/population.hpp"

#include <algorithm>
#include <atomic>

#include "heddle/base/check.hpp"
#include "heddle/train/watchdogs.hpp"

namespace heddle {
namespace {

/// Longest first; in the given order where nothing is said.
std::vector<std::size_t> order_of(std::size_t members, std::span<const double> work) {
  std::vector<std::size_t> order(members);
  for (std::size_t i = 0; i < members; ++i) order[i] = i;
  if (!work.empty())
    std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return work[i]; });
  return order;
}

class PopulationTraining {
 public:
  PopulationTraining(std::span<const Config> members, const PopulationOptions& options)
      : members_(members), options_(options), trained_(members.size()) {
    check(options.runs.size() == members.size(), "train_population: {} folders for {} members",
          options.runs.size(), members.size());
    check(options.work.empty() || options.work.size() == members.size(),
          "train_population: {} numbers of work for {} members", options.work.size(),
          members.size());
    order_ = order_of(members.size(), options.work);
  }

  std::vector<std::optional<TrainedMember>> run() {
    if (options_.team != nullptr) {
      take_members(*options_.team);
    } else {
      const int most = std::max(1, static_cast<int>(members_.size()));
      const int workers = std::clamp(options_.threads, 1, most);
      Team team(workers);
      team.run(workers, [&](int) {
        Team own(std::max(1, options_.threads / workers));
        take_members(own);
      });
    }
    return std::move(trained_);
  }

 private:
  void take_members(Team& team) {
    for (std::size_t i = next_++; i < order_.size(); i = next_++)
      if (!take(order_[i], team)) return;
  }

  /// False if the training was stopped.
  bool take(std::size_t member, Team& team) {
    const MemberTurn turn = options_.turn ? options_.turn(member) : MemberTurn::train;
    if (turn == MemberTurn::skip) return true;
    TrainedMember how{.outcome = TrainOutcome::was_finished, .diverged = {}};
    if (turn == MemberTurn::train) how = train(member, team);
    trained_[member] = how;
    if (how.outcome == TrainOutcome::stopped) return false;
    if (options_.trained) options_.trained(member, how, team);
    return true;
  }

  TrainedMember train(std::size_t member, Team& team) const {
    const TrainObserver observer = options_.observer ? options_.observer(member) : TrainObserver{};
    try {
      return {.outcome = train_run(members_[member], options_.runs[member], team, observer),
              .diverged = {}};
    } catch (const TrainingDiverged& error) {
      if (!options_.keep_diverged) throw;
      return {.outcome = TrainOutcome::finished, .diverged = error.what()};
    }
  }

  std::span<const Config> members_;
  const PopulationOptions& options_;
  std::vector<std::size_t> order_;
  std::atomic<std::size_t> next_{0};
  std::vector<std::optional<TrainedMember>> trained_;
};

}  // namespace

std::vector<std::optional<TrainedMember>> train_population(std::span<const Config> members,
                                                           const PopulationOptions& options) {
  return PopulationTraining(members, options).run();
}

}  // namespace heddle
