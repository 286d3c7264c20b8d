// The pieces of work that are measured, each with everything it needs. What they share with a duel
// against another program is the work itself.
#pragma once

#include <memory>
#include <vector>

#include "heddle/bench/measure.hpp"
#include "heddle/config/config.hpp"
#include "heddle/tensor/view.hpp"

namespace heddle {

/// A work and what keeps it alive.
struct OwnedWork {
  Workload work;
  std::shared_ptr<void> keeps;
};

/// The classifier that sortedness is measured with: 4 layers of 128, as the reports', on sequences
/// of one length.
Config sortedness_bench_config(Index length);

/// Training steps of one member on the team.
OwnedWork train_addition(std::int64_t batch, Team& team);
OwnedWork train_sortedness(std::int64_t batch, Team& team);
/// As many members as the team has threads, one each, none waiting for another within a call.
OwnedWork train_population(std::int64_t batch, Team& team);

/// Greedy decoding with cached keys and values.
OwnedWork greedy_addition(Team& team);
/// Scoring as the census does it: one encoding, one forced and one greedy decoding of each problem.
OwnedWork score_addition(Team& team);
/// Every head of a member set to zero, one at a time, on 2,000 problems, and the intact member.
OwnedWork ablate_addition(Team& team);
/// A classifier's answers to sequences of that length.
OwnedWork classify(Index length, Team& team);

/// One kernel a work, on one thread.
std::vector<OwnedWork> product_works();
std::vector<OwnedWork> kernel_works();

}  // namespace heddle
