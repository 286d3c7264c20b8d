// See differences.hpp.
#include "heddle/lens/patch/differences.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "heddle/base/index.hpp"
#include "heddle/lens/asked.hpp"
#include "heddle/lens/stats/stats.hpp"

namespace heddle {
namespace {

constexpr Index kMostQuestions = 500;            // whose donors are held at once, at most
constexpr Index kMostNumbers = Index{1} << 25U;  // of them

/// As many questions as memory allows, by the numbers of one question at all these places' taps.
Index chunk_size(const Member& member, const EncodedQuestions& all, std::span<const Place> places) {
  Index numbers = 1;
  for (const TapId tap : taps_of(places)) {
    const Shape& shape = member.model->taps()[tap].shape;
    numbers += positions_at(member, all, tap) * shape[-1] * (shape.rank() == 4 ? shape[2] : 1);
  }
  return std::clamp<Index>(kMostNumbers / numbers, 1, kMostQuestions);
}

/// Measures some of the questions.
class PatchChunk {
 public:
  PatchChunk(const Member& member, const PatchQuestions& questions, Index first, Index count)
      : member_(member), questions_(questions), first_(first), count_(count) {}

  void measure(std::span<const Place> places, Team& team, const std::function<void()>& alive,
               PatchDifferences& all) const {
    std::vector<TapValues> donors;
    donors.reserve(2);  // the variants point at them
    donors.push_back(values_of(questions_.donors, places, team, alive));
    take(donors[0], all.donor);
    if (questions_.has_controls()) {
      donors.push_back(values_of(questions_.controls, places, team, alive));
      take(donors[1], all.control);
    }
    std::vector<Variant> variants;
    std::vector<std::vector<double>*> lists{&all.own};
    for (std::size_t i = 0; i < places.size(); ++i) {
      variants.push_back(transplant(places[i], donors[0]));
      lists.push_back(&all.patched[i]);
      if (donors.size() < 2) continue;
      variants.push_back(transplant(places[i], donors[1]));
      lists.push_back(&all.controlled[i]);
    }
    for (std::vector<double>* list : lists) list->resize(to_size(first_ + count_));
    run_variants(
        member_, rows_of(questions_.own), variants, team,
        [&](int variant, const ProblemBlock& block, const Tensor& x) {
          std::vector<double>& out = *lists[to_size(variant) + 1];
          const Index row = x.size() / block.count;
          for (Index i = 0; i < block.count; ++i)
            out[to_size(first_ + block.first + i)] =
                difference(block.first + i, x.data<float>() + i * row);
        },
        [&](Index, Index) { alive(); });
  }

 private:
  EncodedQuestions rows_of(const Questions& questions) const {
    return encoded(member_, some_of(questions, first_, count_));
  }
  TapValues values_of(const Questions& questions, std::span<const Place> places, Team& team,
                      const std::function<void()>& alive) const {
    std::vector<TapId> taps = taps_of(places);
    taps.push_back(logits_tap(member_));
    return {member_, rows_of(questions), taps, team, [&](Index, Index) { alive(); }};
  }
  /// Of logits [position, choice] of question i of the chunk.
  double difference(Index i, const float* logits) const {
    const PatchContrast& contrast = questions_.contrasts[to_size(first_ + i)];
    const float* at = logits + contrast.position * member_.model->choices();
    return static_cast<double>(at[contrast.other]) - static_cast<double>(at[contrast.own]);
  }
  void take(const TapValues& values, std::vector<double>& out) const {
    for (Index i = 0; i < count_; ++i)
      out.push_back(difference(i, values.at(logits_tap(member_), i).data()));
  }

  const Member& member_;
  const PatchQuestions& questions_;
  Index first_, count_;
};

}  // namespace

PatchDifferences measure_patches(const Member& member, const PatchQuestions& questions,
                                 std::span<const Place> places, Team& team,
                                 const std::function<void()>& alive) {
  PatchDifferences all;
  all.patched.resize(places.size());
  all.controlled.resize(places.size());
  const Index size = questions.own.size();
  const Index chunk = chunk_size(member, encoded(member, questions.own), places);
  for (Index first = 0; first < size; first += chunk)
    PatchChunk(member, questions, first, std::min(chunk, size - first))
        .measure(places, team, alive, all);
  return all;
}

PatchRange::PatchRange(std::span<const double> own, std::span<const double> donor)
    : own_(own), swing_(own.size()) {
  std::ranges::transform(donor, own, swing_.begin(), std::minus{});
  told_apart_ = t_interval(swing_).low > 0;
}

MovedShare PatchRange::share(std::span<const double> patched, const Bootstrap& bootstrap) const {
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  if (!told_apart_ || patched.empty()) return {kNothing, kNothing, kNothing};
  std::vector<double> moved(swing_.size());
  std::ranges::transform(patched, own_, moved.begin(), std::minus{});
  const Interval interval = bootstrap.ratio(moved, swing_);
  return {.share = std::accumulate(moved.begin(), moved.end(), 0.0) /
                   std::accumulate(swing_.begin(), swing_.end(), 0.0),
          .low = interval.low,
          .high = interval.high};
}

}  // namespace heddle
