// The most that a kind of model can score, where mathematics says so before any training.
#pragma once

#include <string_view>

#include "heddle/task/sortedness/sorted_sets.hpp"

namespace heddle {

inline constexpr double kNoCeiling = -1;

/// What of a model decides its ceiling. A pooling is symmetric if the order of the tokens does not
/// matter to it (mean, max, min, attention), and if no token but the values is in the row's way:
/// `front` counts those before the first value, which shift a learned table.
struct CeilingModel {
  std::string_view position = "none";  ///< name of the encoding
  bool symmetric_pooling = true;
  /// Attention that treats left and right alike: no encoding, or a bias on |Δ| in every head.
  bool symmetric_direction = false;
  Index table = 0;  ///< rows of a `learned` table whose last row stands for all beyond; 0 = no such
  Index front = 0;  ///< tokens before the first value
};

/// Expected accuracy of the best such model on a set of twins; kNoCeiling where none is known.
///
///   none, symmetric pooling            a bag of tokens: a twin of equal values gets the same
///                                      answer, so exactly one of the two is right: ½ on every kind
///                                      but `dip`
///   symmetric direction and pooling    a sequence and its reverse get the same answer: ½ on
///                                      `reverse`; the other kinds' twins are no reverses
///   learned, clamped, sym. pooling     ½ (1 + seen_swaps) on `adjacent`
double ceiling_of(const CeilingModel& model, const SetSpec& spec);

/// The share of `adjacent` negatives of `length` values that a table of `table` rows, clamped, lets
/// a model see. Places ≥ table − 1 share one row, so the swap of places (i, i+1) is seen if and
/// only if i ≤ table − 2: the boundary pair (table − 2, table − 1) is. It is not simply
/// (table − 1)/(length − 1), because ties are not equally likely at all places. With V equally
/// likely values, Surj(n, a) the ways to map n draws onto a values, and
///
///   q(i) = C(L, i+1) V⁻ᴸ Σ_{a,b ≥ 1} C(V, a+b) Surj(i+1, a) Surj(L−i−1, b) / (a + b − 1)
///
/// (a distinct values up to place i, b beyond; of the a + b − 1 unequal pairs the one at i is
/// swapped), the share is Σ_{i ≤ table−2} q(i) / (1 − V¹⁻ᴸ), all-equal draws being drawn again.
/// Windowed values: both sums are averaged over the widths V with their chances first.
double seen_swaps(Index length, Index table, ValueKind values);

}  // namespace heddle
