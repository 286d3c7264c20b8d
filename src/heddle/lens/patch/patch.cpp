// See patch.hpp.
#include "heddle/lens/patch/patch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "heddle/base/rng.hpp"
#include "heddle/lens/patch/path.hpp"
#include "heddle/lens/stats/bootstrap.hpp"
#include "heddle/task/addition/minimal_pairs.hpp"

namespace heddle {
namespace {

constexpr std::array<std::string_view, 2> kDirections = {"on", "off"};
constexpr std::size_t kChunk = 500;  // problems whose donors are held at once

/// A problem to be patched and the two that it takes values from.
struct Trio {
  Problem own, flipped, control;
};

/// Both directions of all pairs: first those that the carry is brought to, then the others.
std::vector<Trio> trios_of(std::span<const CarryPair> pairs) {
  std::vector<Trio> trios;
  for (const CarryPair& pair : pairs) trios.push_back({pair.off, pair.on, pair.off_control});
  for (const CarryPair& pair : pairs) trios.push_back({pair.on, pair.off, pair.on_control});
  return trios;
}

std::vector<Problem> column_of(std::span<const Trio> trios, Problem Trio::* which) {
  std::vector<Problem> problems;
  for (const Trio& trio : trios) problems.push_back(trio.*which);
  return problems;
}

/// Logit differences, problem by problem.
struct Differences {
  std::vector<double> own, flipped, control;            // of whole runs
  std::vector<std::vector<double>> patched, unflipped;  // of each place: from B, from the control
};

/// All that is measured of one column.
class ColumnPatcher {
 public:
  ColumnPatcher(const Member& member, Index column, std::span<const CarryPair> pairs, Team& team)
      : member_(member),
        encoding_(member.config.task),
        column_(column),
        trios_(trios_of(pairs)),
        team_(team) {
    while (encoding_.column_of(read_) != column + 1) ++read_;
  }

  /// Where this place can matter for the digit.
  std::vector<Place> by_position(const Place& whole) const {
    std::vector<Place> places;
    const TapPoint& point = member_.model->taps()[whole.tap];
    const Index first = sees_own_row_alone(member_, whole.tap) ? read_ : 0;
    const Index end = point.stream == Stream::source ? positions_at(member_, whole.tap) : read_ + 1;
    for (Index position = first; position < end; ++position) {
      const std::string token = position_name(encoding_, point.stream, position);
      const bool in_column =
          token == fmt::format("a{}", column_) || token == fmt::format("b{}", column_);
      if (point.role == TapRole::embedding && !in_column) continue;
      Place place = whole;
      place.position = position;
      places.push_back(place);
    }
    return places;
  }

  Differences measure(std::span<const Place> places, const std::function<void()>& alive) const {
    Differences all;
    all.patched.resize(places.size());
    all.unflipped.resize(places.size());
    for (std::size_t first = 0; first < trios_.size(); first += kChunk) {
      const auto count = std::min(kChunk, trios_.size() - first);
      measure_chunk(std::span(trios_).subspan(first, count), places, alive, all);
    }
    return all;
  }

  /// One effect per place and direction.
  std::vector<PatchEffect> effects(std::span<const Place> places, const Differences& differences,
                                   std::size_t resamples) const {
    std::vector<PatchEffect> effects(places.size() * kDirections.size());
    for (std::size_t direction = 0; direction < kDirections.size(); ++direction) {
      const Half half = half_of(differences, direction);
      const Rng rng(member_.config.seed, "patch.bootstrap",
                    static_cast<std::uint64_t>(2 * column_) + direction);
      const Bootstrap bootstrap(rng, half.swing.size(), resamples);
      team_.run(static_cast<int>(places.size()), [&](int piece) {
        const auto i = static_cast<std::size_t>(piece);
        PatchEffect& effect = effects[direction * places.size() + i];
        effect = blank(places[i], direction, half.swing.size());
        share(half, differences.patched[i], bootstrap, {effect.effect, effect.low, effect.high});
        share(half, differences.unflipped[i], bootstrap,
              {effect.control, effect.control_low, effect.control_high});
      });
    }
    return effects;
  }

  std::vector<PatchSwing> swings(const Differences& differences) const {
    std::vector<PatchSwing> swings;
    for (std::size_t direction = 0; direction < kDirections.size(); ++direction) {
      const std::size_t pairs = trios_.size() / 2, first = direction * pairs;
      const auto mean = [&](const std::vector<double>& values) {
        return mean_of(std::span(values).subspan(first, pairs));
      };
      swings.push_back({.column = column_,
                        .direction = std::string(kDirections[direction]),
                        .pairs = static_cast<std::int64_t>(pairs),
                        .before = mean(differences.own),
                        .after = mean(differences.flipped),
                        .control = mean(differences.control)});
    }
    return swings;
  }

 private:
  /// One direction: where its problems begin, and what there is to move.
  struct Half {
    std::size_t first = 0;
    std::span<const double> own;
    std::vector<double> swing;  // Δ_B − Δ_A
    bool told_apart = false;
  };
  struct Estimated {
    double &value, &low, &high;
  };

  PatchEffect blank(const Place& place, std::size_t direction, std::size_t pairs) const {
    PatchEffect effect;
    effect.column = column_;
    effect.direction = kDirections[direction];
    effect.place = place.name;
    effect.position = place.position;
    if (place.position >= 0)
      effect.token = position_name(encoding_, stream_at(member_, place.tap), place.position);
    effect.pairs = static_cast<std::int64_t>(pairs);
    return effect;
  }

  Half half_of(const Differences& differences, std::size_t direction) const {
    const std::size_t pairs = trios_.size() / 2;
    Half half{.first = direction * pairs,
              .own = std::span(differences.own).subspan(direction * pairs, pairs),
              .swing = {}};
    for (std::size_t i = 0; i < pairs; ++i)
      half.swing.push_back(differences.flipped[half.first + i] - half.own[i]);
    half.told_apart = t_interval(half.swing).low > 0;
    return half;
  }

  static void share(const Half& half, const std::vector<double>& patched,
                    const Bootstrap& bootstrap, const Estimated& out) {
    out.value = out.low = out.high = std::numeric_limits<double>::quiet_NaN();
    if (!half.told_apart) return;
    std::vector<double> moved;
    for (std::size_t i = 0; i < half.own.size(); ++i)
      moved.push_back(patched[half.first + i] - half.own[i]);
    out.value = std::accumulate(moved.begin(), moved.end(), 0.0) /
                std::accumulate(half.swing.begin(), half.swing.end(), 0.0);
    const Interval interval = bootstrap.ratio(moved, half.swing);
    out.low = interval.low;
    out.high = interval.high;
  }

  /// logit(the flipped problem's digit) − logit(the own digit).
  double difference(const Trio& trio, const float* logits) const {
    const auto at = static_cast<std::size_t>(column_) + 1;
    return static_cast<double>(logits[sum_of(trio.flipped)[at]]) -
           static_cast<double>(logits[sum_of(trio.own)[at]]);
  }

  void measure_chunk(std::span<const Trio> trios, std::span<const Place> places,
                     const std::function<void()>& alive, Differences& all) const {
    const TaskConfig& task = member_.config.task;
    const ForcedSet own(task, column_of(trios, &Trio::own));
    const TapId logits = logits_tap(member_);
    std::vector<TapId> taps{logits};
    for (const Place& place : places)
      if (std::ranges::count(taps, place.tap) == 0) taps.push_back(place.tap);
    const TapValues flipped(member_, ForcedSet(task, column_of(trios, &Trio::flipped)), taps,
                            team_);
    const TapValues control(member_, ForcedSet(task, column_of(trios, &Trio::control)), taps,
                            team_);
    std::vector<Variant> variants;
    for (const Place& place : places) {
      variants.push_back(transplant(place, flipped));
      variants.push_back(transplant(place, control));
    }
    const std::size_t first = all.own.size();
    const auto grow = [&](std::vector<double>& values) { values.resize(first + trios.size()); };
    for (auto* list : {&all.own, &all.flipped, &all.control}) grow(*list);
    for (auto* lists : {&all.patched, &all.unflipped}) std::ranges::for_each(*lists, grow);
    const auto vocabulary = static_cast<std::size_t>(member_.model->choices());
    const auto read = static_cast<std::size_t>(read_);
    for (std::size_t i = 0; i < trios.size(); ++i) {
      const auto problem = static_cast<Index>(i);
      all.flipped[first + i] =
          difference(trios[i], flipped.at(logits, problem).data() + read * vocabulary);
      all.control[first + i] =
          difference(trios[i], control.at(logits, problem).data() + read * vocabulary);
    }
    const auto positions = static_cast<std::size_t>(own.batch().target_length);
    const auto see = [&](int variant, const ProblemBlock& block, const Tensor& x) {
      std::vector<double>& out = list_of(all, variant);
      for (std::size_t row = 0; row < static_cast<std::size_t>(block.count); ++row) {
        const std::size_t i = static_cast<std::size_t>(block.first) + row;
        out[first + i] =
            difference(trios[i], x.data<float>() + (row * positions + read) * vocabulary);
      }
    };
    run_variants(member_, own, variants, team_, see, [&](Index, Index) { alive(); });
  }

  static std::vector<double>& list_of(Differences& all, int variant) {
    if (variant < 0) return all.own;
    const auto at = static_cast<std::size_t>(variant);
    return (at % 2 == 0 ? all.patched : all.unflipped)[at / 2];
  }

  const Member& member_;
  AdditionEncoding encoding_;
  Index column_;
  Index read_ = 0;  // the position that says the digit
  std::vector<Trio> trios_;
  Team& team_;
};

std::vector<Place> head_places(const Member& member) {
  std::vector<Place> places;
  for (const Head& head : heads_of(member))
    places.push_back({.name = head.name, .tap = head.z, .head = head.index});
  return places;
}

void append(std::vector<PatchEffect>& list, const std::vector<PatchEffect>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

/// The heads that move at least so much in either direction.
std::vector<Place> that_matter(std::span<const Place> heads, std::span<const PatchEffect> effects,
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
    const Differences differences = patcher.measure(list, alive);
    step(1);
    return std::pair(patcher.effects(list, differences, options.resamples),
                     patcher.swings(differences));
  };
  const auto [of_heads, swings] = measure(heads);
  patching.swings.insert(patching.swings.end(), swings.begin(), swings.end());
  append(patching.heads, of_heads);
  append(patching.stream, measure(stream).first);
  for (const Place& head : that_matter(heads, of_heads, options.threshold))
    std::ranges::copy(patcher.by_position(head), std::back_inserter(places));
  append(patching.places, measure(places).first);
}

}  // namespace

std::vector<Index> patchable_columns(const AdditionEncoding& encoding) {
  std::vector<Index> columns;
  for (Index column = 0; column < encoding.digits(); ++column)
    for (Index position = 0; position < encoding.target_length(); ++position)
      if (encoding.column_of(position) == column + 1) columns.push_back(column);
  return columns;
}

Patching patch_member(const Member& member, const PatchOptions& options, Team& team,
                      const PatchProgress& progress) {
  const AdditionEncoding encoding(member.config.task);
  const std::vector<Index> possible = patchable_columns(encoding);
  const std::vector<Index>& columns = options.columns.empty() ? possible : options.columns;
  check<UsageError>(options.pairs >= 2, "patch: {} pairs per column; at least 2 are needed",
                    options.pairs);
  constexpr Index kSteps = 3;  // of a column
  const auto total = kSteps * static_cast<Index>(columns.size());
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
                         {.digits = encoding.digits(),
                          .column = static_cast<int>(column),
                          .full_length = member.config.task.source == DataSource::fixed},
                         options.pairs);
    patch_column(member, ColumnPatcher(member, column, pairs, team), options, step, patching);
  }
  patching.path = carry_paths(member, patching, options.threshold);
  return patching;
}

}  // namespace heddle
