// Problems in which carries, cascades and near misses are common.
#pragma once

#include "heddle/base/rng.hpp"
#include "heddle/task/addition/problem.hpp"

namespace heddle {

/// Every digit of both operands equally likely.
Problem draw_uniform(Rng& rng, int digits);

/// Each column is first one of three kinds, equally likely: it passes a carry on (sum 9), it just
/// misses that (sum 8 or 10), or it is any column that makes (sum ≥ 10) or stops (sum ≤ 8) one,
/// equally likely; then its two digits are drawn equally among those of its kind. What is known of
/// the near misses' use, and what is not: docs/results.md.
Problem draw_carry_balanced(Rng& rng, int digits);

/// Each column sums to 9 with chance ¼, otherwise to 0 … 18, each equally likely; then its two
/// digits are drawn equally among those of that sum. Both answers to "is the sum at least k" are
/// common for every k from 3 to 16. The units carry in 36 % of problems, higher columns in almost
/// half.
Problem draw_even_sums(Rng& rng, int digits);

}  // namespace heddle
