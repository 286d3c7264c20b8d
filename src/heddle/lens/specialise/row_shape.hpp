// The shape of one row of attention: how spread or sharp it is, wherever it points.
#pragma once

#include <span>

namespace heddle {

// Rows are the weights of the allowed keys, at least two of them, summing to 1 (up to rounding).

/// H = −Σ w ln w, in nats; 0·ln 0 = 0.
double row_entropy(std::span<const float> row);
/// H / ln n: a uniform row 1, a row on one key 0.
double normalised_entropy(std::span<const float> row);
/// Gini's index of inequality, Σ (2i − n − 1) w₍ᵢ₎ / ((n − 1) Σ w), weights ascending, i from 1: a
/// uniform row 0, a row on one key 1 (the usual n in the denominator would leave (n − 1)/n).
double gini(std::span<const float> row);
/// Hoyer's sparsity, (√n − |w|₁/|w|₂) / (√n − 1): a uniform row 0, a row on one key 1.
double hoyer(std::span<const float> row);

}  // namespace heddle
