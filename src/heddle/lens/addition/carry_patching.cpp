// See carry_patching.hpp.
#include "heddle/lens/addition/carry_patching.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "heddle/base/index.hpp"
#include "heddle/base/rng.hpp"
#include "heddle/lens/addition/carry_path.hpp"
#include "heddle/lens/patch/differences.hpp"
#include "heddle/lens/stats/stats.hpp"
#include "heddle/task/addition/minimal_pairs.hpp"
#include "heddle/task/addition/words.hpp"

namespace heddle {
namespace {

constexpr std::array<std::string_view, 2> kDirections = {"on", "off"};

/// Both directions of all pairs: first those that the carry is brought to, then the others. What is
/// compared: the digit above the column, with and without the carry.
PatchQuestions both_directions(std::span<const CarryPair> pairs, Index column, Index position) {
  PatchQuestions questions;
  const auto at = to_size(column) + 1;
  const auto add = [&](const Problem& own, const Problem& flipped, const Problem& control) {
    add_problem(own, questions.own);
    add_problem(flipped, questions.donors);
    add_problem(control, questions.controls);
    questions.contrasts.push_back(
        {.position = position, .own = sum_of(own)[at], .other = sum_of(flipped)[at]});
  };
  for (const CarryPair& pair : pairs) add(pair.off, pair.on, pair.off_control);
  for (const CarryPair& pair : pairs) add(pair.on, pair.off, pair.on_control);
  return questions;
}

/// All that is measured of one column.
class ColumnPatcher {
 public:
  ColumnPatcher(const Member& member, Index column, std::span<const CarryPair> pairs, Team& team)
      : member_(member),
        column_(column),
        position_(position_of_column(member.model->shape(), column + 1)),
        pairs_(pairs.size()),
        questions_(both_directions(pairs, column, position_)),
        team_(team) {}

  /// Where this place can matter for the digit.
  std::vector<Place> by_position(const Place& whole) const {
    std::vector<Place> places;
    const TaskShape& shape = member_.model->shape();
    const TapPoint& point = member_.model->taps()[whole.tap];
    const Index first = sees_own_row_alone(member_, whole.tap) ? position_ : 0;
    const Index end = point.stream == Stream::source ? shape.longest_input : position_ + 1;
    for (Index position = first; position < end; ++position) {
      const std::string token = position_name(shape, point.stream, position);
      const bool in_column =
          token == fmt::format("a{}", column_) || token == fmt::format("b{}", column_);
      if (point.role == TapRole::embedding && !in_column) continue;
      Place place = whole;
      place.position = position;
      places.push_back(place);
    }
    return places;
  }

  PatchDifferences measure(std::span<const Place> places,
                           const std::function<void()>& alive) const {
    return measure_patches(member_, questions_, places, team_, alive);
  }

  /// One effect per place and direction.
  std::vector<PatchEffect> effects(std::span<const Place> places, const PatchDifferences& all,
                                   std::size_t resamples) const {
    std::vector<PatchEffect> effects(places.size() * kDirections.size());
    for (std::size_t direction = 0; direction < kDirections.size(); ++direction) {
      const PatchRange range(half(all.own, direction), half(all.donor, direction));
      const Rng rng(member_.config.seed, "patch.bootstrap",
                    static_cast<std::uint64_t>(2 * column_) + direction);
      const Bootstrap bootstrap(rng, pairs_, resamples);
      team_.run(static_cast<int>(places.size()), [&](int piece) {
        const auto i = to_size(piece);
        const MovedShare moved = range.share(half(all.patched[i], direction), bootstrap);
        const MovedShare control = range.share(half(all.controlled[i], direction), bootstrap);
        effects[direction * places.size() + i] = {.column = column_,
                                                  .direction = std::string(kDirections[direction]),
                                                  .place = places[i].name,
                                                  .position = places[i].position,
                                                  .token = token_at(places[i]),
                                                  .pairs = static_cast<std::int64_t>(pairs_),
                                                  .effect = moved.share,
                                                  .low = moved.low,
                                                  .high = moved.high,
                                                  .control = control.share,
                                                  .control_low = control.low,
                                                  .control_high = control.high};
      });
    }
    return effects;
  }

  std::vector<PatchSwing> swings(const PatchDifferences& all) const {
    std::vector<PatchSwing> swings;
    for (std::size_t direction = 0; direction < kDirections.size(); ++direction)
      swings.push_back({.column = column_,
                        .direction = std::string(kDirections[direction]),
                        .pairs = static_cast<std::int64_t>(pairs_),
                        .before = mean_of(half(all.own, direction)),
                        .after = mean_of(half(all.donor, direction)),
                        .control = mean_of(half(all.control, direction))});
    return swings;
  }

 private:
  std::span<const double> half(const std::vector<double>& all, std::size_t direction) const {
    return std::span(all).subspan(direction * pairs_, pairs_);
  }
  std::string token_at(const Place& place) const {
    if (place.position < 0) return "";
    return position_name(member_.model->shape(), stream_at(member_, place.tap), place.position);
  }

  const Member& member_;
  Index column_;
  Index position_;     // at which the digit is said
  std::size_t pairs_;  // of each direction
  PatchQuestions questions_;
  Team& team_;
};

void append(std::vector<PatchEffect>& list, const std::vector<PatchEffect>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

/// The heads that move at least so much in either direction.
std::vector<Place> heads_above(std::span<const Place> heads, std::span<const PatchEffect> effects,
                               double threshold) {
  std::vector<Place> found;
  for (std::size_t i = 0; i < heads.size(); ++i)
    if (std::abs(effects[i].effect) >= threshold ||
        std::abs(effects[heads.size() + i].effect) >= threshold)
      found.push_back(heads[i]);
  return found;
}

/// Heads and stream of one column, then the heads that matter by position.
void patch_column(const Member& member, const ColumnPatcher& patcher, const PatchOptions& options,
                  const std::function<void(int steps)>& step, Patching& patching) {
  const std::vector<Place> heads = options.heads ? head_places(member) : std::vector<Place>{};
  std::vector<Place> stream, places;
  if (options.stream)
    for (const TapId tap : stream_taps(member))
      std::ranges::copy(patcher.by_position({.name = member.model->taps()[tap].path, .tap = tap}),
                        std::back_inserter(stream));
  const auto alive = [&] { step(0); };
  const auto measure = [&](std::span<const Place> list) {
    const PatchDifferences all = patcher.measure(list, alive);
    step(1);
    return std::pair(patcher.effects(list, all, options.resamples), patcher.swings(all));
  };
  const auto [of_heads, swings] = measure(heads);
  patching.swings.insert(patching.swings.end(), swings.begin(), swings.end());
  append(patching.heads, of_heads);
  append(patching.stream, measure(stream).first);
  for (const Place& head : heads_above(heads, of_heads, options.threshold))
    std::ranges::copy(patcher.by_position(head), std::back_inserter(places));
  append(patching.places, measure(places).first);
}

}  // namespace

Patching patch_member(const Member& member, const PatchOptions& options, Team& team,
                      const PatchProgress& progress) {
  const TaskShape& shape = member.model->shape();
  const std::vector<Index> possible = patchable_columns(shape);
  const std::vector<Index>& columns = options.columns.empty() ? possible : options.columns;
  check<UsageError>(options.pairs >= 2, "patch: {} pairs per column; at least 2 are needed",
                    options.pairs);
  constexpr Index kSteps = 3;  // of a column
  const auto total = kSteps * std::ssize(columns);
  Index done = 0;
  const auto step = [&](int steps) {
    done += steps;
    if (progress) progress(done, total);
  };
  Patching patching;
  for (const Index column : columns) {
    check<UsageError>(std::ranges::count(possible, column) > 0,
                      "patch: column {}: the digit above it is not said; accepted are columns 0 to "
                      "{}",
                      column, possible.empty() ? -1 : possible.back());
    Rng rng(member.config.seed, "patch.pairs", static_cast<std::uint64_t>(column));
    const auto pairs =
        draw_carry_pairs(rng,
                         {.digits = digits_of(shape),
                          .column = static_cast<int>(column),
                          .full_length = member.config.task.source == DataSource::fixed},
                         options.pairs);
    patch_column(member, ColumnPatcher(member, column, pairs, team), options, step, patching);
  }
  patching.path = carry_paths(member, patching, options.threshold);
  return patching;
}

}  // namespace heddle
