// How any exam is run: in blocks over a team, their results taken in order.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "heddle/base/index.hpp"
#include "heddle/base/parallel.hpp"
#include "heddle/model/member.hpp"

namespace heddle {

/// Who is asked, and how.
struct ExamSetup {
  const Model& model;
  const Weights& weights;  ///< packed
  std::uint64_t seed = 0;  ///< of what rows draw for themselves
  Team& team;
  const Edits* edits = nullptr;
  std::function<void(Index done, Index total)> progress{};  ///< called between blocks, may throw
};
/// A member as it is.
inline ExamSetup exam_setup(const Member& member, Team& team,
                            std::function<void(Index done, Index total)> progress = {}) {
  return {.model = *member.model,
          .weights = member.weights,
          .seed = member.config.seed,
          .team = team,
          .progress = std::move(progress)};
}

/// Gives work(first, count) for every block of `size` of `total` questions to merge(part), block by
/// block in order: blocks are as many whatever the team, so that sums have the same bits for any
/// number of threads.
template <class Part, class Work, class Merge>
void run_blocks(const ExamSetup& setup, Index total, Index size, Work work, Merge merge) {
  constexpr Index kRound = 16;  // blocks between two reports of progress
  const Index blocks = (total + size - 1) / size;
  for (Index done = 0; done < blocks; done += kRound) {
    const auto pieces = static_cast<int>(std::min(kRound, blocks - done));
    std::vector<Part> parts(to_size(pieces));
    setup.team.run(pieces, [&](int piece) {
      const Index first = (done + piece) * size;
      parts[to_size(piece)] = work(first, std::min(size, total - first));
    });
    for (Part& part : parts) merge(part);
    if (setup.progress) setup.progress(std::min((done + pieces) * size, total), total);
  }
}

}  // namespace heddle
