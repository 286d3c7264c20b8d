// Ties: sorted draws out of a hundred values crowd together as they get longer, so the data shifts
// with length whatever the encoding.
#include <cmath>

#include <fmt/core.h>

#include "heddle/eval/sortedness.hpp"
#include "heddle/lens/explain/parts.hpp"

namespace heddle {
namespace {

/// Expected numbers of a sequence, drawn again where all values are equal.
struct Shifts {
  double unequal = 0;  ///< neighbours that differ: distinct values less one
  double gap1 = 0;     ///< neighbours that differ by 1
  double differ = 0;   ///< the chance that two values differ at all

  void add(double chance, const Shifts& other) {
    unequal += chance * other.unequal;
    gap1 += chance * other.gap1;
    differ += chance * other.differ;
  }
};

/// With V equally likely values: V(1 − (1 − 1/V)ᴸ) − 1 and
/// (V − 1)(1 − 2(1 − 1/V)ᴸ + (1 − 2/V)ᴸ).
Shifts shifts_of(double length, double values) {
  const double one_missing = std::pow(1 - 1 / values, length);
  const double two_missing = std::pow(1 - 2 / values, length);
  return {.unequal = values * (1 - one_missing) - 1,
          .gap1 = (values - 1) * (1 - 2 * one_missing + two_missing),
          .differ = 1 - std::pow(values, 1 - length)};
}

Shifts shifts_of(Index length, ValueKind kind) {
  const auto draws = static_cast<double>(length);
  if (kind == ValueKind::uniform) return shifts_of(draws, kValueCount);
  Shifts all;
  for (std::int32_t width = kNarrowest; width <= kWidest; ++width)
    all.add(window_chance(width), shifts_of(draws, width));
  return all;
}

void add_tie_curves(ValueKind kind, const ExplainScale& scale, SortExplanation& into) {
  constexpr Index kSequences = 400;
  const std::string values(name_of(kind));
  SortCurve ties{.label = "ties, " + values, .x = {}, .y = {}, .low = {}, .high = {}};
  SortCurve gaps{.label = "gaps of 1, " + values, .x = {}, .y = {}, .low = {}, .high = {}};
  SortCurve drawn_ties = ties, drawn_gaps = gaps;
  for (const Index length : scale.lengths) {
    const Shifts shifts = shifts_of(length, kind);
    const SequenceMakeup makeup = SortedSet({.length = length,
                                             .kind = NegativeKind::adjacent,
                                             .values = kind,
                                             .count = kSequences,
                                             .seed = kSetSeed})
                                      .makeup();
    for (SortCurve* curve : {&ties, &gaps, &drawn_ties, &drawn_gaps})
      curve->x.push_back(static_cast<double>(length));
    ties.y.push_back(1 - shifts.unequal / shifts.differ / static_cast<double>(length - 1));
    gaps.y.push_back(shifts.gap1 / shifts.unequal);
    drawn_ties.y.push_back(makeup.tie_share());
    drawn_gaps.y.push_back(makeup.gap1_share());
  }
  into.predicted.insert(into.predicted.end(), {ties, gaps});
  into.measured.insert(into.measured.end(), {drawn_ties, drawn_gaps});
}

}  // namespace

MaybeExplained explain_ties(ExplainMembers /*members*/, const ExplainScale& scale) {
  if (scale.lengths.empty()) return std::nullopt;
  SortExplanation made{
      .id = "ties",
      .title = "The data shifts with length",
      .formula =
          "L draws out of V values leave V(1 − (1 − 1/V)^L) distinct ones: all other "
          "neighbours are ties. Of the unequal neighbours (V − 1)(1 − 2(1 − 1/V)^L + "
          "(1 − 2/V)^L) differ by 1. Windows of a random width V have the same numbers on "
          "average at many widths, so that short sequences already show what long ones "
          "are made of.",
      .x_label = "length",
      .y_label = "share of neighbours",
      .log_x = true,
      .predicted = {},
      .measured = {},
      .maps = {}};
  for (const ValueKind kind : {ValueKind::uniform, ValueKind::windowed})
    add_tie_curves(kind, scale, made);
  return made;
}

}  // namespace heddle
