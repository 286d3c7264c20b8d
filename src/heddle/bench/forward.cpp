// See forward.hpp.
#include "heddle/bench/forward.hpp"

#include <algorithm>
#include <chrono>

namespace heddle {
namespace {

constexpr Index kBlock = 125;  // problems of one pass

/// One pass over all problems.
void pass(const Member& member, const EncodedQuestions& set, Team& team) {
  const Index blocks = (set.size + kBlock - 1) / kBlock;
  team.run(static_cast<int>(blocks), [&](int block) {
    const Index first = block * kBlock, count = std::min(kBlock, set.size - first);
    Run run(member.weights);
    member.model->forward(run, set.part(first, count));
  });
}

double problems_per_second(const Member& member, const ForwardTiming& timing, Team& team) {
  using Clock = std::chrono::steady_clock;
  pass(member, timing.set, team);  // warm
  const auto begin = Clock::now();
  Index done = 0;
  double spent = 0;
  while (spent < timing.seconds) {
    pass(member, timing.set, team);
    done += timing.set.size;
    spent = std::chrono::duration<double>(Clock::now() - begin).count();
  }
  return static_cast<double>(done) / spent;
}

}  // namespace

std::vector<double> forward_speeds(std::span<const Member* const> members,
                                   const ForwardTiming& timing, Team& team) {
  check<UsageError>(timing.set.size > 0 && timing.rounds > 0, "forward speed: no problems");
  std::vector<std::vector<double>> speeds(members.size());
  for (int round = 0; round < timing.rounds; ++round)
    for (std::size_t i = 0; i < members.size(); ++i) {
      speeds[i].push_back(problems_per_second(*members[i], timing, team));
      if (timing.between) timing.between();
    }
  std::vector<double> medians;
  for (std::vector<double>& of_member : speeds) {
    std::ranges::sort(of_member);
    medians.push_back(of_member[of_member.size() / 2]);
  }
  return medians;
}

}  // namespace heddle
