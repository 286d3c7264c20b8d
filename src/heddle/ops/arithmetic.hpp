// Sums and slices: what modules and edits compose.
#pragma once

#include <vector>

#include "heddle/autograd/tape.hpp"

namespace heddle {

/// a + b, of equal shapes.
Var add(const Var& a, const Var& b);

/// A row [m] in every place of `shape` [.., m].
Var repeat_row(const Var& row, const Shape& shape);

/// The same numbers under another shape.
Var reshape(const Var& x, const Shape& shape);

/// Multiplies slice i of `axis` by weights[i]: silences a head, a position, a feature.
Var scale_slices(const Var& x, int axis, std::vector<double> weights);

/// Σ x∘c for a constant c of x's shape → [1]: a loss that reaches every entry (for gradient
/// checks).
Var weighted_sum(const Var& x, const Tensor& c);

}  // namespace heddle
