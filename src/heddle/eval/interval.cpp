// See interval.hpp.
#include "heddle/eval/interval.hpp"

#include <algorithm>
#include <cmath>

namespace heddle {

Interval wilson(const Count& count, double z) {
  if (count.total == 0) return {};
  const auto n = static_cast<double>(count.total);
  const double p = count.share(), z2 = z * z;
  const double centre = p + z2 / (2 * n);
  const double reach = z * std::sqrt(p * (1 - p) / n + z2 / (4 * n * n));
  const double scale = 1 + z2 / n;
  // The ends are exact where rounding would leave a crumb.
  return {.low = count.correct == 0 ? 0 : std::max(0.0, (centre - reach) / scale),
          .high = count.correct == count.total ? 1 : std::min(1.0, (centre + reach) / scale)};
}

}  // namespace heddle
