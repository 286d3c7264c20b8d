// Rotary positions: pairs of features turned by an angle that grows with the place.
#pragma once

#include "heddle/autograd/tape.hpp"

namespace heddle {

struct RotaryOptions {
  double base = 10000;
  Index first = 0;                 ///< where the first row stands, the others behind it
  const double* places = nullptr;  ///< [batch, position]: where each row stands instead
};

/// x [batch, position, head, feature]: features (2k, 2k + 1) of a row at place p are turned by
/// p · base^(−2k/d). So q·k of turned rows depends on the difference of their places alone.
Var rotate(const Var& x, const RotaryOptions& options);

}  // namespace heddle
