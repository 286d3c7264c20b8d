// Every possible addition, and which of them training has seen.
#pragma once

#include <cstdint>
#include <vector>

#include "heddle/task/addition/addition.hpp"
#include "heddle/task/addition/problem.hpp"

namespace heddle {

/// All 10²ⁿ ordered pairs of operands 0 … 10ⁿ−1, numbered a·10ⁿ + b.
class Census {
 public:
  static constexpr int kLargest = 3;  ///< digits

  /// UsageError above three digits: there are too many pairs to try.
  explicit Census(int digits);

  Index size() const { return operands_ * operands_; }
  Problem at(Index number) const;
  Index number_of(const Problem& problem) const;
  /// Problems `first` … `first + count − 1`, cut at the end; `out` keeps its capacity.
  void block(Index first, Index count, std::vector<Problem>& out) const;

 private:
  int digits_;
  Index operands_ = 1;
};

/// Which pairs, in either order, were drawn: one bit for each problem of the census.
class SeenPairs {
 public:
  explicit SeenPairs(int digits);
  void mark(const Problem& problem);
  bool contains(const Problem& problem) const;
  /// Ordered pairs of the census that count as seen.
  Index count() const { return count_; }

 private:
  void mark_one(Index number);

  Census census_;
  std::vector<bool> bits_;
  Index count_ = 0;
};

/// What the first `steps` steps of training drew, by drawing it again.
SeenPairs seen_in_training(const Addition& addition, Index steps);

}  // namespace heddle
