// See pairs.hpp.
#include "heddle/lens/patch/pairs.hpp"

#include <algorithm>
#include <limits>

#include "heddle/base/index.hpp"
#include "heddle/base/rng.hpp"
#include "heddle/lens/patch/differences.hpp"
#include "heddle/lens/stats/stats.hpp"

namespace heddle {
namespace {

class PairPatcher {
 public:
  PairPatcher(const Member& member, const Task& task, const InputPairs& pairs, Team& team)
      : member_(member), task_(task), team_(team) {
    for (const InputPair& pair : pairs.pairs) {
      pairs_.push_back(examine_pair(member, task, pairs, pair));
      const ExaminedPair& last = pairs_.back();
      questions_.own.add(last.a, last.answer_a);
      questions_.donors.add(last.b, last.answer_a);  // b, after a's true prefix
      if (pairs.controls) questions_.controls.add(last.control, last.answer_a);
      questions_.contrasts.push_back(last.contrast);
    }
    same_length_ = alike([](const ExaminedPair& pair) { return pair.length; });
    same_position_ = alike([](const ExaminedPair& pair) { return pair.contrast.position; });
  }

  std::vector<Place> stream_places() const {
    std::vector<Place> places;
    for (const TapId tap : stream_taps(member_)) {
      const bool of_question = stream_at(member_, tap) == Stream::source;
      const Place whole{.name = member_.model->taps()[tap].path, .tap = tap};
      if (!(of_question ? same_length_ : same_position_)) {
        places.push_back(whole);
        continue;
      }
      const Index end = of_question ? pairs_[0].length : pairs_[0].contrast.position + 1;
      for (Index i = sees_own_row_alone(member_, tap) ? end - 1 : 0; i < end; ++i) {
        places.push_back(whole);
        places.back().position = i;
      }
    }
    return places;
  }

  /// The effects at these places; what whole runs differ by goes to `out`.
  std::vector<PlaceEffect> patch(std::span<const Place> places, const std::function<void()>& alive,
                                 PairPatching& out) const {
    const PatchDifferences all = measure_patches(member_, questions_, places, team_, alive);
    const PatchRange range(all.own, all.donor);
    summarise(all, range, out);
    const Bootstrap bootstrap(Rng(member_.config.seed, "patch_pairs.bootstrap"), range.size());
    std::vector<PlaceEffect> effects(places.size());
    team_.run(static_cast<int>(places.size()), [&](int piece) {
      const auto i = to_size(piece);
      const MovedShare moved = range.share(all.patched[i], bootstrap);
      const MovedShare control = range.share(all.controlled[i], bootstrap);
      effects[i] = {.place = places[i].name,
                    .position = places[i].position,
                    .token = token_at(places[i]),
                    .effect = moved.share,
                    .low = moved.low,
                    .high = moved.high,
                    .control = control.share,
                    .control_low = control.low,
                    .control_high = control.high};
    });
    return effects;
  }

 private:
  void summarise(const PatchDifferences& all, const PatchRange& range, PairPatching& out) const {
    out.pairs = static_cast<std::int64_t>(pairs_.size());
    out.controls = questions_.has_controls();
    out.told_apart = range.told_apart();
    out.before = mean_of(all.own);
    out.after = mean_of(all.donor);
    out.control = out.controls ? mean_of(all.control) : std::numeric_limits<double>::quiet_NaN();
  }

  template <class What>
  bool alike(const What& what) const {
    return std::ranges::all_of(
        pairs_, [&](const ExaminedPair& pair) { return what(pair) == what(pairs_[0]); });
  }
  /// What all inputs a have there.
  std::string token_at(const Place& place) const {
    if (place.position < 0) return "";
    const auto token = [&](const ExaminedPair& pair) {
      return pair.rows.tokens(stream_at(member_, place.tap), 0)[to_size(place.position)];
    };
    return alike(token) ? task_.token(token(pairs_[0])) : "";
  }

  const Member& member_;
  const Task& task_;
  Team& team_;
  std::vector<ExaminedPair> pairs_;
  PatchQuestions questions_;
  bool same_length_ = false, same_position_ = false;
};

}  // namespace

PairPatching patch_pairs(const Member& member, const Task& task, const InputPairs& pairs,
                         Team& team, const PairProgress& progress) {
  constexpr Index kSteps = 2;
  Index done = 0;
  const auto alive = [&] {
    if (progress) progress(done, kSteps);
  };
  const PairPatcher patcher(member, task, pairs, team);
  PairPatching patching;
  const auto patch = [&](const std::vector<Place>& places) {
    std::vector<PlaceEffect> effects = patcher.patch(places, alive, patching);
    ++done;
    alive();
    return effects;
  };
  patching.heads = patch(head_places(member));
  patching.stream = patch(patcher.stream_places());
  return patching;
}

}  // namespace heddle
