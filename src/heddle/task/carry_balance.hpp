// Problems in which carries, cascades and near misses are common.
#pragma once

#include "heddle/base/rng.hpp"
#include "heddle/task/problem.hpp"

namespace heddle {

/// Every digit of both operands equally likely.
Problem draw_uniform(Rng& rng, int digits);

/// Each column is first one of three kinds, equally likely: it makes a carry (sum ≥ 10), passes one
/// on (sum 9), or stops it (sum ≤ 8); then its two digits are drawn equally among those of its
/// kind.
Problem draw_carry_balanced(Rng& rng, int digits);

}  // namespace heddle
