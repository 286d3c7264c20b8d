// Where the carries of a sum are, and what a set of problems is made of.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "heddle/task/addition/problem.hpp"

namespace heddle {

/// The carries of one problem. A cascade is a carry that passes through a column summing to 9.
struct Carries {
  std::array<bool, kMaxDigits> out{};  ///< column i sends a carry to column i + 1; units first
  int count = 0;                       ///< columns that send one
  int cascade = 0;                     ///< longest run of columns summing to 9 that a carry passes
  bool top = false;  ///< the sum has one digit more: the thousands carry for n = 3
};
Carries carries_of(const Problem& problem);

/// Counts over a set of problems.
struct Makeup {
  Index count = 0;
  std::vector<Index> by_carries;  ///< [digits + 1] problems with 0, 1, … carries
  std::vector<Index> by_cascade;  ///< [digits] problems whose longest cascade is 0, 1, …
  Index cascades = 0;             ///< longest cascade of at least 1
  Index double_cascades = 0;      ///< longest cascade of at least 2
  Index top_carries = 0;

  explicit Makeup(int digits = 0);
  void add(const Problem& problem);
  double share(Index part) const {
    return count ? static_cast<double>(part) / static_cast<double>(count) : 0;
  }
};
Makeup makeup_of(std::span<const Problem> problems, int digits);

}  // namespace heddle
