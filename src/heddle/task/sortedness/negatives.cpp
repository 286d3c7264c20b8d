// One function per kind; each leaves a sorted sequence unsorted.
#include "heddle/task/sortedness/negatives.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "heddle/base/check.hpp"
#include "heddle/base/index.hpp"

namespace heddle {

namespace {

using Places = std::span<std::int32_t>;

std::size_t draw_place(Rng& rng, std::size_t count) {
  return to_size(rng.below(count));
}

void swaps(Rng& rng, Places x) {
  const std::size_t times = std::max<std::size_t>(2, x.size() / 3);
  for (std::size_t time = 0; time < times; ++time) {
    const std::size_t one = draw_place(rng, x.size());
    std::size_t other = draw_place(rng, x.size() - 1);
    if (other >= one) ++other;  // never the same place
    std::swap(x[one], x[other]);
  }
  if (is_sorted(x)) std::swap(x.front(), x.back());
}

void shuffle(Rng& rng, Places x) {
  do rng.shuffle(x);
  while (is_sorted(x));
}

void adjacent(Rng& rng, Places x) {
  const Steps steps = steps_of(x);
  std::size_t left = draw_place(rng, to_size(steps.gap1 + steps.wider));
  for (std::size_t i = 0;; ++i) {
    if (x[i] == x[i + 1]) continue;
    if (left == 0) return std::swap(x[i], x[i + 1]);
    --left;
  }
}

/// Calls use(i, first, count) for every place i: its partners are `count` places from `first` on.
template <class Use>
void each_far_group(Places x, std::size_t far, Use&& use) {
  std::size_t larger = 0;  // the first place with a larger value than x[i]
  for (std::size_t i = 0; i + far < x.size(); ++i) {
    while (larger < x.size() && x[larger] == x[i]) ++larger;
    const std::size_t first = std::max(larger, i + far);
    use(i, first, x.size() - first);
  }
}

void distant(Rng& rng, Places x) {
  const std::size_t far = std::max<std::size_t>(2, x.size() / 4);
  std::size_t pairs = 0;
  each_far_group(x, far, [&](std::size_t, std::size_t, std::size_t count) { pairs += count; });
  std::size_t number = draw_place(rng, pairs);
  std::size_t one = 0, other = 0;
  each_far_group(x, far, [&](std::size_t i, std::size_t first, std::size_t count) {
    if (other == 0 && number < count) {
      one = i;
      other = first + number;
    }
    if (other == 0) number -= count;
  });
  std::swap(x[one], x[other]);
}

/// The values are sorted: the left neighbours of at least Δ are the last ones.
void dip(Rng& rng, std::int32_t delta, Places x) {
  const auto enough = std::ranges::lower_bound(x.first(x.size() - 1), delta);
  const auto first = to_size(enough - x.begin());
  const std::size_t left = first + draw_place(rng, x.size() - 1 - first);
  x[left + 1] = x[left] - delta;
}

void rotate(Rng& rng, Places x) {
  const std::size_t by = 1 + draw_place(rng, x.size() - 1);
  std::ranges::rotate(x, x.begin() + static_cast<std::ptrdiff_t>(by));
}

/// Apart, because the text of a long sequence is not written unless it is needed.
[[noreturn]] void fail(const Spoil& spoil, std::string_view what, Values values) {
  throw Error(fmt::format("a negative of kind {} and delta {} {} {}", name_of(spoil.kind),
                          spoil.delta, what, sequence_text(values)));
}

}  // namespace

void check_spoil(const Spoil& spoil, Index shortest) {
  const bool dips = spoil.kind == NegativeKind::dip;
  check<UsageError>(dips ? spoil.delta >= 1 && spoil.delta < kValueCount : spoil.delta == 0,
                    "negatives of kind {} with delta {}: accepted is {}", name_of(spoil.kind),
                    spoil.delta, dips ? "1 to 99" : "0; only dip has a depth");
  check<UsageError>(shortest >= shortest_for(spoil.kind),
                    "negatives of kind {} out of {} values: accepted is at least {}",
                    name_of(spoil.kind), shortest, shortest_for(spoil.kind));
}

bool can_spoil(const Spoil& spoil, Values sorted) {
  if (std::ssize(sorted) < shortest_for(spoil.kind)) return false;
  if (spoil.kind == NegativeKind::dip) return sorted[sorted.size() - 2] >= spoil.delta;
  return sorted.front() != sorted.back();
}

void spoil_in_place(Rng& rng, const Spoil& spoil, std::span<std::int32_t> values) {
  if (!is_sorted(values) || !can_spoil(spoil, values)) fail(spoil, "cannot be made of", values);
  switch (spoil.kind) {
    case NegativeKind::swaps:
      swaps(rng, values);
      break;
    case NegativeKind::shuffle:
      shuffle(rng, values);
      break;
    case NegativeKind::adjacent:
      adjacent(rng, values);
      break;
    case NegativeKind::distant:
      distant(rng, values);
      break;
    case NegativeKind::dip:
      dip(rng, spoil.delta, values);
      break;
    case NegativeKind::reverse:
      std::ranges::reverse(values);
      break;
    case NegativeKind::rotate:
      rotate(rng, values);
      break;
  }
  if (is_sorted(values)) fail(spoil, "came out as", values);
}

std::optional<Sequence> negative_of(Rng& rng, const Spoil& spoil, Values sorted) {
  if (!can_spoil(spoil, sorted)) return std::nullopt;
  Sequence negative(sorted.begin(), sorted.end());
  spoil_in_place(rng, spoil, negative);
  return negative;
}

}  // namespace heddle
