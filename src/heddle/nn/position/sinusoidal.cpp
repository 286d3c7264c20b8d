// Sinusoidal positions: nothing learned, every length has its rows.
#include <cmath>

#include "heddle/nn/position/position.hpp"
#include "heddle/tensor/dispatch.hpp"

namespace heddle {

Position Position::sinusoidal(Index length, Index width) {
  constexpr double kBase = 10000;
  Tensor table = Tensor::uninitialised({length, width}, DType::f64);
  auto* out = table.write<double>();
  for (Index i = 0; i < length; ++i)
    for (Index e = 0; e < width; ++e) {
      const Index pair = e / 2 * 2;
      const double angle = static_cast<double>(i) *
                           std::pow(kBase, -static_cast<double>(pair) / static_cast<double>(width));
      out[i * width + e] = e % 2 == 0 ? std::sin(angle) : std::cos(angle);
    }
  Position position;
  position.fixed_ = table;
  position.fixed_f32_ = converted(table, DType::f32);
  position.trained_ = length;
  return position;
}

}  // namespace heddle
