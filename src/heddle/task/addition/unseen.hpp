// Problems that a member has never seen, as many sets as an analysis needs, no pair in two of them.
#pragma once

#include <string_view>
#include <vector>

#include "heddle/task/addition/addition.hpp"
#include "heddle/task/addition/splits.hpp"

namespace heddle {

class UnseenProblems {
 public:
  /// Unseen by the first `steps` steps of training, and in neither validation nor test.
  UnseenProblems(const Addition& addition, Index steps);

  /// `count` problems from the stream of that name, operands as the task's source has them, none
  /// (nor its commuted twin) in a set drawn before. Fewer where so many do not exist.
  std::vector<Problem> draw(Index count, std::string_view name);

 private:
  std::uint64_t seed_;
  int digits_;
  bool full_length_;  // a fixed set has operands of exactly `digits` digits
  PairSet taken_;
};

}  // namespace heddle
