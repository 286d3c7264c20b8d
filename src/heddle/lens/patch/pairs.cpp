// See pairs.hpp.
#include "heddle/lens/patch/pairs.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "heddle/base/rng.hpp"
#include "heddle/lens/places.hpp"
#include "heddle/lens/stats/bootstrap.hpp"

namespace heddle {
namespace {

constexpr std::size_t kMostPairs = 500;  // pairs whose donors are held at once, at most
constexpr std::size_t kMostNumbers = std::size_t{1} << 25U;  // of them
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// Logit differences, pair by pair.
struct PairDifferences {
  std::vector<double> own, flipped, control;          // of whole runs
  std::vector<std::vector<double>> patched, matched;  // of each place: from b, from the control
};

class Patcher {
 public:
  Patcher(const Member& member, const RunTask& task, const InputPairs& pairs, Team& team)
      : member_(member), task_(task), controls_(pairs.controls), team_(team) {
    for (const InputPair& pair : pairs.pairs) pairs_.push_back(examine_pair(task, pairs, pair));
    same_length_ = alike([](const ExaminedPair& pair) { return pair.length; });
    same_read_ = alike([](const ExaminedPair& pair) { return pair.read; });
  }

  std::vector<Place> heads() const {
    std::vector<Place> places;
    for (const Head& head : heads_of(member_))
      places.push_back({.name = head.name, .tap = head.z, .head = head.index});
    return places;
  }

  std::vector<Place> stream() const {
    std::vector<Place> places;
    for (const TapId tap : stream_taps(member_)) {
      const std::string& path = member_.model->taps()[tap].path;
      const bool of_question = stream_at(member_, tap) == Stream::source;
      const Place whole{.name = path, .tap = tap};
      if (!(of_question ? same_length_ : same_read_)) {
        places.push_back(whole);
        continue;
      }
      const Index end = of_question ? pairs_[0].length : pairs_[0].read + 1;
      for (Index i = sees_own_row_alone(member_, tap) ? end - 1 : 0; i < end; ++i) {
        places.push_back(whole);
        places.back().position = i;
      }
    }
    return places;
  }

  PairDifferences measure(std::span<const Place> places, const std::function<void()>& alive) const {
    PairDifferences all;
    all.patched.resize(places.size());
    all.matched.resize(places.size());
    const std::size_t chunk = chunk_size(places);
    for (std::size_t first = 0; first < pairs_.size(); first += chunk)
      measure_chunk(std::span(pairs_).subspan(first, std::min(chunk, pairs_.size() - first)),
                    places, alive, all);
    return all;
  }

  std::vector<PlaceEffect> effects(std::span<const Place> places,
                                   const PairDifferences& all) const {
    const std::vector<double> swing = swing_of(all);
    const bool told_apart = t_interval(swing).low > 0;
    const Bootstrap bootstrap(Rng(member_.config.seed, "patch_pairs.bootstrap"), swing.size());
    std::vector<PlaceEffect> effects(places.size());
    team_.run(static_cast<int>(places.size()), [&](int piece) {
      const auto i = static_cast<std::size_t>(piece);
      PlaceEffect& effect = effects[i];
      effect.place = places[i].name;
      effect.position = places[i].position;
      effect.token = token_at(places[i]);
      const auto share = [&](const std::vector<double>& patched, double& value, double& low,
                             double& high) {
        value = low = high = kNothing;
        if (!told_apart || patched.empty()) return;
        std::vector<double> moved(swing.size());
        std::ranges::transform(patched, all.own, moved.begin(), std::minus{});
        value = std::accumulate(moved.begin(), moved.end(), 0.0) /
                std::accumulate(swing.begin(), swing.end(), 0.0);
        const Interval interval = bootstrap.ratio(moved, swing);
        low = interval.low;
        high = interval.high;
      };
      share(all.patched[i], effect.effect, effect.low, effect.high);
      share(all.matched[i], effect.control, effect.control_low, effect.control_high);
    });
    return effects;
  }

  void summarise(const PairDifferences& all, PairPatching& out) const {
    out.pairs = static_cast<std::int64_t>(pairs_.size());
    out.controls = controls_;
    out.told_apart = t_interval(swing_of(all)).low > 0;
    out.before = mean_of(all.own);
    out.after = mean_of(all.flipped);
    out.control = controls_ ? mean_of(all.control) : kNothing;
  }

 private:
  template <class What>
  bool alike(const What& what) const {
    return std::ranges::all_of(
        pairs_, [&](const ExaminedPair& pair) { return what(pair) == what(pairs_[0]); });
  }
  static std::vector<double> swing_of(const PairDifferences& all) {
    std::vector<double> swing(all.own.size());
    std::ranges::transform(all.flipped, all.own, swing.begin(), std::minus{});
    return swing;
  }
  /// What all inputs a have there.
  std::string token_at(const Place& place) const {
    if (place.position < 0) return "";
    const auto token = [&](const ExaminedPair& pair) {
      return pair.tokens(stream_at(member_, place.tap))[static_cast<std::size_t>(place.position)];
    };
    return alike(token) ? task_.token(token(pairs_[0])) : "";
  }

  /// Numbers of one pair at all these places' taps, as far as the longest pair goes.
  std::size_t chunk_size(std::span<const Place> places) const {
    std::vector<TapId> taps;
    std::size_t numbers = 1;
    for (const Place& place : places) {
      if (std::ranges::count(taps, place.tap) > 0) continue;
      taps.push_back(place.tap);
      const Shape& shape = member_.model->taps()[place.tap].shape;
      std::size_t longest = 0;
      for (const ExaminedPair& pair : pairs_)
        longest = std::max(longest, pair.tokens(stream_at(member_, place.tap)).size());
      numbers += longest * static_cast<std::size_t>(shape[-1] * (shape.rank() == 4 ? shape[2] : 1));
    }
    return std::clamp<std::size_t>(kMostNumbers / numbers, 1, kMostPairs);
  }

  /// Of logits [position, choice].
  double difference(const ExaminedPair& pair, const float* logits) const {
    const float* at = logits + pair.read * member_.model->choices();
    return static_cast<double>(at[pair.token_b]) - static_cast<double>(at[pair.token_a]);
  }

  void measure_chunk(std::span<const ExaminedPair> pairs, std::span<const Place> places,
                     const std::function<void()>& alive, PairDifferences& all) const {
    std::vector<std::string> a, b, answers, controls;
    for (const ExaminedPair& pair : pairs) {
      a.push_back(pair.texts.a);
      b.push_back(pair.texts.b);
      answers.push_back(pair.texts.answer_a);
      controls.push_back(pair.texts.control);
    }
    const ForcedSet own = task_.questions(a, answers);
    const TapId logits = logits_tap(member_);
    std::vector<TapId> taps{logits};
    for (const Place& place : places)
      if (std::ranges::count(taps, place.tap) == 0) taps.push_back(place.tap);
    std::vector<TapValues> donors;
    donors.reserve(2);  // the variants point at them
    donors.emplace_back(member_, task_.asked(b, {}), own, taps, team_);
    if (controls_) donors.emplace_back(member_, task_.asked(controls, {}), own, taps, team_);
    const std::size_t first = all.own.size();
    const auto take = [&](const TapValues& values, std::vector<double>& out) {
      for (std::size_t i = 0; i < pairs.size(); ++i)
        out.push_back(difference(pairs[i], values.at(logits, static_cast<Index>(i)).data()));
    };
    take(donors[0], all.flipped);
    if (controls_) take(donors[1], all.control);
    std::vector<Variant> variants;
    std::vector<std::vector<double>*> lists{&all.own};
    for (std::size_t i = 0; i < places.size(); ++i) {
      variants.push_back(transplant(places[i], donors[0]));
      lists.push_back(&all.patched[i]);
      if (!controls_) continue;
      variants.push_back(transplant(places[i], donors[1]));
      lists.push_back(&all.matched[i]);
    }
    for (std::vector<double>* list : lists) list->resize(first + pairs.size());
    run_variants(
        member_, own, variants, team_,
        [&](int variant, const ProblemBlock& block, const Tensor& x) {
          std::vector<double>& out = *lists[static_cast<std::size_t>(variant) + 1];
          const Index row = x.size() / block.count;
          for (Index i = 0; i < block.count; ++i) {
            const auto pair = static_cast<std::size_t>(block.first + i);
            out[first + pair] = difference(pairs[pair], x.data<float>() + i * row);
          }
        },
        [&](Index, Index) { alive(); });
  }

  const Member& member_;
  const RunTask& task_;
  bool controls_;
  Team& team_;
  std::vector<ExaminedPair> pairs_;
  bool same_length_ = false, same_read_ = false;
};

}  // namespace

PairPatching patch_pairs(const Member& member, const RunTask& task, const InputPairs& pairs,
                         Team& team, const PairProgress& progress) {
  constexpr Index kSteps = 2;
  Index done = 0;
  const auto alive = [&] {
    if (progress) progress(done, kSteps);
  };
  const Patcher patcher(member, task, pairs, team);
  PairPatching patching;
  const auto measure = [&](const std::vector<Place>& places) {
    const PairDifferences all = patcher.measure(places, alive);
    ++done;
    alive();
    patcher.summarise(all, patching);
    return patcher.effects(places, all);
  };
  patching.heads = measure(patcher.heads());
  patching.stream = measure(patcher.stream());
  return patching;
}

}  // namespace heddle
