// See bench.hpp.
#include "heddle/record/bench.hpp"

#include <algorithm>

#include "heddle/base/check.hpp"

namespace heddle {

Spread spread_of(std::vector<double> values) {
  check<UsageError>(!values.empty(), "a spread of no values");
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  const double median =
      values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  return {.median = median, .low = values.front(), .high = values.back()};
}

}  // namespace heddle
