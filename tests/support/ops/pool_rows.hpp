// Sequences for tests of poolings: padded ones, turned ones, ones written out by hand.
#pragma once

#include <vector>

#include "heddle/autograd/tape.hpp"

namespace heddle::testing {

using PoolOp = Var (*)(const Var&, const std::uint8_t*);

/// These numbers in double, [1, position, ..].
Tensor tensor_of(const Shape& shape, const std::vector<double>& numbers);

/// x [batch, position, ..] with its positions in the opposite order.
Tensor turned_round(const Tensor& x);

/// A sequence of `shape` [1, position, ..] whose every second place is padding full of NaN pools
/// to the same bits as the tokens alone, which get the same gradients; padding gets none.
void expect_padding_ignored(PoolOp pool, const Shape& shape);

}  // namespace heddle::testing
