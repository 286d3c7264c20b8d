// What every tap promises, checked for any model: the names of the taps that break it.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/nn/taps.hpp"

namespace heddle::testing {

/// A pass under these edits (may be null) and its result.
using TappedPass = std::function<Tensor(const Edits*)>;

/// Taps where giving back the same numbers changes the result of a run that watches the same
/// point, or where giving back zeros does not change it.
std::vector<std::string> broken_taps(const TapTable& taps, const TappedPass& pass);

/// Whether the model has a point of this name.
inline bool has_tap(const TapTable& taps, std::string_view path) {
  return std::ranges::find(taps.points(), path, &TapPoint::path) != taps.points().end();
}

/// The taps that break it in a small feed-forward module; a deaf one shows its hidden layer to the
/// tap and goes on with its own value.
std::vector<std::string> broken_taps_of_a_module(bool deaf);

}  // namespace heddle::testing
