// The same work by several contestants, turn by turn, so that what else the machine does hits all
// of them alike.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "heddle/record/bench.hpp"

namespace heddle {

/// One contestant on one number of threads.
struct Contestant {
  std::string name;
  int threads = 1;
  std::function<double()> turn;  ///< works for a while; units per second
};

struct Duel {
  std::string name, unit;
  std::int64_t batch = 0;
  int rounds = 5;
  std::vector<Contestant> ours, peers;
  std::function<void()> between = {};  ///< called after every turn; may throw
};

/// Every contestant once in every round. Each counts with the number of threads at which its median
/// is best; ratios are taken round by round.
PeerDuel run_duel(const Duel& duel);

}  // namespace heddle
