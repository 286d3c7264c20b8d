// See bootstrap.hpp.
#include "heddle/lens/stats/bootstrap.hpp"

#include <algorithm>

#include "heddle/base/check.hpp"

namespace heddle {

Bootstrap::Bootstrap(Rng rng, std::size_t items, std::size_t resamples) : items_(items) {
  check<UsageError>(items > 0 && resamples > 0, "bootstrap: {} resamples of {} items", resamples,
                    items);
  drawn_.resize(items * resamples);
  for (std::uint32_t& item : drawn_) item = static_cast<std::uint32_t>(rng.below(items));
}

Interval Bootstrap::ratio(std::span<const double> top, std::span<const double> bottom) const {
  check(top.size() == items_ && bottom.size() == items_, "bootstrap: {} and {} values for {} items",
        top.size(), bottom.size(), items_);
  std::vector<double> ratios;
  for (std::size_t first = 0; first < drawn_.size(); first += items_) {
    double above = 0, below = 0;
    for (const std::uint32_t item : std::span(drawn_).subspan(first, items_)) {
      above += top[item];
      below += bottom[item];
    }
    ratios.push_back(above / below);
  }
  std::ranges::sort(ratios);
  constexpr double kTail = 0.025;
  const auto cut = static_cast<std::size_t>(kTail * static_cast<double>(ratios.size()));
  return {.low = ratios[cut], .high = ratios[ratios.size() - 1 - cut]};
}

}  // namespace heddle
