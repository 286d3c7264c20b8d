// Which problems train, validate and test: drawn once from a seed, no pair (in either order) twice.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "heddle/config/config.hpp"
#include "heddle/task/addition/problem.hpp"

namespace heddle {

struct Splits {
  std::vector<Problem> train;  ///< empty for a stream
  std::vector<Problem> validation;
  std::vector<Problem> test;
  std::string note;  ///< what had to be smaller than usual, and why; usually empty

  static constexpr Index kTrain = 10000;
  static constexpr Index kHeldOut = 2000;  ///< validation and test, each
};

/// Unordered pairs of operands.
class PairSet {
 public:
  /// False if the pair was there already, in either order.
  bool insert(const Problem& problem) { return pairs_.insert(canonical(problem)).second; }
  bool contains(const Problem& problem) const { return pairs_.contains(canonical(problem)); }
  std::size_t size() const { return pairs_.size(); }

 private:
  std::unordered_set<Problem, ProblemHash> pairs_;
};

/// fixed: 10,000 / 2,000 / 2,000 with operands of exactly `digits` digits; UsageError where there
/// are not that many. stream: validation and test only, operands 0 … 10ⁿ−1, each at most a fifth of
/// all pairs.
Splits draw_splits(const TaskConfig& config, std::uint64_t seed);

}  // namespace heddle
