// Rows of sines and cosines for any place, kept once they have been worked out.
#pragma once

#include <mutex>

#include "heddle/nn/position/position.hpp"

namespace heddle {

class Sinusoids {
 public:
  Sinusoids(Index length, Index width);

  /// Rows for tokens at their places.
  PositionRows at_places(const Tokens& tokens, DType dtype) const;
  /// Rows for tokens that share the way from 0 to kSteps out, each sequence for itself.
  PositionRows at_shares(const Tokens& tokens, DType dtype) const;

 private:
  static constexpr double kSteps = 16;
  /// A table that long is kept; beyond it every token's row is worked out when it is needed.
  static constexpr Index kMostKept = 16384;

  void write_row(double place, double* to) const;
  Tensor kept(Index rows, DType dtype) const;
  Tensor table_of(const std::vector<double>& places, DType dtype) const;

  Index width_;
  std::vector<double> speeds_;  // 10000^(−2k/width)
  mutable std::mutex growing_;
  mutable Tensor f64_, f32_;  // guarded; what was handed out before stays valid
};

}  // namespace heddle
