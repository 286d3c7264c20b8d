// Cross-entropy as an operation: value and gradient in one pass over the logits.
#pragma once

#include <cstdint>

#include "heddle/autograd/tape.hpp"

namespace heddle {

/// weight · Σ over rows with a target of −ln softmax(logits)[target] → [1]. Targets [rows] < 0 bear
/// no loss. `weight` is usually one over the number of rows that do.
Var cross_entropy(const Var& logits, const std::int32_t* targets, double weight);

}  // namespace heddle
