// What the two explanations of sinusoids share: their rows, and squares of places.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "heddle/lens/explain/parts.hpp"

namespace heddle {

inline constexpr Index kSinusoidPlaces = 256;    ///< t is below
inline constexpr Index kSinusoidDistances = 32;  ///< t − s is at most

/// Whether it has sinusoids whose pairs of sine and cosine are whole.
bool is_sinusoidal(const ExplainMember& each);

/// Rows of numbers, one after the other.
using PlaceTable = std::vector<double>;

/// The sinusoids of all places, [kSinusoidPlaces, width].
PlaceTable sinusoid_table(Index width);

/// Row i of one by row j of another.
double dot_rows(const PlaceTable& a, Index i, const PlaceTable& b, Index j, Index width);

/// 0 … kSinusoidDistances.
std::vector<double> sinusoid_distances();

/// value(t, s) for the first 32 places.
SortMap place_map(std::string label, std::string note,
                  const std::function<double(Index t, Index s)>& value);

}  // namespace heddle
