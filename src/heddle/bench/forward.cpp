// See forward.hpp.
#include "heddle/bench/forward.hpp"

#include <algorithm>
#include <chrono>

#include "heddle/task/encoding.hpp"

namespace heddle {
namespace {

constexpr Index kBlock = 125;  // problems of one pass

/// One pass over all problems.
void pass(const Member& member, const Batch& batch, Team& team) {
  const Index blocks = (batch.size + kBlock - 1) / kBlock;
  team.run(static_cast<int>(blocks), [&](int block) {
    const Index first = block * kBlock, count = std::min(kBlock, batch.size - first);
    const Tokens source{.ids = batch.source.data() + first * batch.source_length,
                        .batch = count,
                        .length = batch.source_length};
    const Tokens target{.ids = batch.target_in.data() + first * batch.target_length,
                        .batch = count,
                        .length = batch.target_length};
    Run run(member.weights);
    Activations at;
    member.model->encode(run, source, at);
    member.model->decode(run, source, target, at);
  });
}

double problems_per_second(const Member& member, const Batch& batch, double seconds, Team& team) {
  using Clock = std::chrono::steady_clock;
  pass(member, batch, team);  // warm
  const auto begin = Clock::now();
  Index done = 0;
  double spent = 0;
  while (spent < seconds) {
    pass(member, batch, team);
    done += batch.size;
    spent = std::chrono::duration<double>(Clock::now() - begin).count();
  }
  return static_cast<double>(done) / spent;
}

}  // namespace

std::vector<double> forward_speeds(std::span<const Member* const> members,
                                   const ForwardTiming& timing, Team& team) {
  check<UsageError>(!timing.problems.empty() && timing.rounds > 0, "forward speed: no problems");
  std::vector<std::vector<double>> speeds(members.size());
  std::vector<Batch> batches(members.size());
  for (std::size_t i = 0; i < members.size(); ++i)
    AdditionEncoding(members[i]->config.task).encode(timing.problems, batches[i]);
  for (int round = 0; round < timing.rounds; ++round)
    for (std::size_t i = 0; i < members.size(); ++i) {
      speeds[i].push_back(problems_per_second(*members[i], batches[i], timing.seconds, team));
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
