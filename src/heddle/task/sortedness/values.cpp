// Sorted draws, uniform or within a window.
#include "heddle/task/sortedness/values.hpp"

#include <algorithm>
#include <array>

#include "heddle/base/index.hpp"

namespace heddle {

namespace {

constexpr std::size_t kWidths = kWidest - kNarrowest + 1;

/// Σ of ⌊2³²/v⌋ over the widths v = 2 … w: whole numbers, so that every platform draws alike.
constexpr std::array<std::uint64_t, kWidths> cumulative_weights() {
  std::array<std::uint64_t, kWidths> sums{};
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kWidths; ++i) {
    sum += (std::uint64_t{1} << 32) / (i + kNarrowest);
    sums[i] = sum;
  }
  return sums;
}
constexpr auto kWeights = cumulative_weights();

std::int32_t draw_width(Rng& rng) {
  const auto found = std::ranges::upper_bound(kWeights, rng.below(kWeights.back()));
  return kNarrowest + static_cast<std::int32_t>(found - kWeights.begin());
}

void fill(Rng& rng, std::int32_t from, std::int32_t width, std::span<std::int32_t> out) {
  for (std::int32_t& value : out)
    value = from + static_cast<std::int32_t>(rng.below(static_cast<std::uint64_t>(width)));
  std::ranges::sort(out);
}

void fill_window(Rng& rng, std::span<std::int32_t> out) {
  do {
    const std::int32_t width = draw_width(rng);
    const std::int32_t places = kValueCount - width + 1;
    const std::uint64_t from = rng.below(static_cast<std::uint64_t>(places));
    fill(rng, static_cast<std::int32_t>(from), width, out);
  } while (out.size() > 1 && out.front() == out.back());
}

}  // namespace

double window_chance(std::int32_t width) {
  const auto at = to_size(width - kNarrowest);
  const std::uint64_t weight = kWeights[at] - (at == 0 ? 0 : kWeights[at - 1]);
  return static_cast<double>(weight) / static_cast<double>(kWeights.back());
}

void draw_sorted(Rng& rng, ValueKind kind, std::span<std::int32_t> out) {
  if (kind == ValueKind::mixed) kind = rng.below(2) == 0 ? ValueKind::uniform : ValueKind::windowed;
  if (kind == ValueKind::uniform) return fill(rng, 0, kValueCount, out);
  fill_window(rng, out);
}

void draw_spoilable(Rng& rng, ValueKind kind, const Spoil& spoil, std::span<std::int32_t> out) {
  check_spoil(spoil, std::ssize(out));  // or it would never end
  do draw_sorted(rng, kind, out);
  while (!can_spoil(spoil, out));
}

}  // namespace heddle
