// See probe.hpp.
#include "heddle/lens/addition/carry_probes.hpp"

#include <algorithm>
#include <limits>

#include "heddle/base/index.hpp"
#include "heddle/base/rng.hpp"
#include "heddle/lens/addition/columns.hpp"
#include "heddle/lens/addition/probe_plan.hpp"
#include "heddle/lens/asked.hpp"
#include "heddle/lens/probe/ridge.hpp"
#include "heddle/lens/stats/stats.hpp"
#include "heddle/task/addition/words.hpp"

namespace heddle {
namespace {

constexpr std::size_t kMostNumbers = std::size_t{1}
                                     << 25;  // of activations held at once, for each model

using RowsAt = std::function<const float*(Index problem)>;

/// Σ x and count over problems, told apart by the class of one column.
class SumsByClass {
 public:
  SumsByClass(const ProbePlan& plan, std::size_t column, std::size_t width)
      : plan_(plan), column_(column), sums_(kColumnClasses * width), width_(width) {}

  void add(std::span<const Index> problems, const RowsAt& row, double weight) {
    for (const Index i : problems) {
      const std::size_t at = plan_.class_of(i, column_);
      counts_[at] += weight;
      const float* x = row(i);
      double* out = sums_.data() + at * width_;
      for (std::size_t j = 0; j < width_; ++j) out[j] += weight * static_cast<double>(x[j]);
    }
  }
  ClassSum of(const ColumnClasses& yes) const {
    ClassSum sum{.count = 0, .sum = std::vector<double>(width_)};
    for (std::size_t at = 0; at < kColumnClasses; ++at) {
      if (!yes[at]) continue;
      sum.count += counts_[at];
      for (std::size_t j = 0; j < width_; ++j) sum.sum[j] += sums_[at * width_ + j];
    }
    return sum;
  }

 private:
  const ProbePlan& plan_;
  std::size_t column_;
  std::array<double, kColumnClasses> counts_{};
  std::vector<double> sums_;
  std::size_t width_;
};

/// All probes at one place.
class PlaceProber {
 public:
  PlaceProber(const ProbePlan& plan, std::size_t width, RowsAt row)
      : plan_(plan), width_(width), row_(std::move(row)) {}

  /// Right answers to the carry questions, target by target.
  std::vector<Count> carries() const {
    std::vector<Count> counts;
    for (const ProbeSample& sample : plan_.samples()) {
      const Ridge ridge(moments(sample));
      for (const ProbeTarget& target : sample.targets)
        counts.push_back(score(ridge, sums(sample, target), target.carry, target.column));
    }
    return counts;
  }

  /// The same with both controls that need the trained model alone.
  void fill(std::span<ProbeResult> results) const {
    std::size_t next = 0;
    for (const ProbeSample& sample : plan_.samples()) {
      const Moments all = moments(sample);
      const Ridge ridge(all);
      for (const ProbeTarget& target : sample.targets) {
        SumsByClass classes = sums(sample, target);
        ProbeResult& result = results[next++];
        result.target = target.name;
        put_accuracy(score(ridge, classes, target.carry, target.column), target, result);
        std::vector<double> controls;
        for (const ProbeQuestion& question : target.controls)
          controls.push_back(share(score(ridge, classes, question, target.column)));
        result.control = mean_of(controls);
        Moments seen = all;
        seen.add(pointers(target.kept_out), -1);
        classes.add(target.kept_out, row_, -1);
        result.held_out = share(score(Ridge(seen), classes, target.held_out, target.column));
      }
    }
  }

  static double share(const Count& count) {
    return count.total > 0 ? count.share() : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  std::vector<const float*> pointers(std::span<const Index> problems) const {
    std::vector<const float*> rows;
    for (const Index i : problems) rows.push_back(row_(i));
    return rows;
  }
  Moments moments(const ProbeSample& sample) const {
    Moments moments(width_);
    moments.add(pointers(sample.train));
    return moments;
  }
  SumsByClass sums(const ProbeSample& sample, const ProbeTarget& target) const {
    SumsByClass sums(plan_, target.column, width_);
    sums.add(sample.train, row_, 1);
    return sums;
  }
  Count score(const Ridge& ridge, const SumsByClass& classes, const ProbeQuestion& question,
              std::size_t column) const {
    const LinearProbe probe = ridge.fit(classes.of(question.yes));
    Count count;
    for (const Index i : question.test)
      count.add((probe.score(row_(i)) > 0) == question.yes[plan_.class_of(i, column)]);
    return count;
  }
  void put_accuracy(const Count& count, const ProbeTarget& target, ProbeResult& result) const {
    const auto yes = static_cast<double>(std::ranges::count_if(target.carry.test, [&](Index i) {
      return target.carry.yes[plan_.class_of(i, target.column)];
    }));
    const auto total = static_cast<double>(count.total);
    const Interval interval = wilson(count);
    result.tested = count.total;
    result.accuracy = share(count);
    result.low = interval.low;
    result.high = interval.high;
    result.majority = total > 0 ? std::max(yes, total - yes) / total : 0;
  }

  const ProbePlan& plan_;
  std::size_t width_;
  RowsAt row_;
};

/// A tap with the places that are probed in it.
struct ProbedTap {
  TapId tap = -1;
  std::vector<Place> places;
  std::size_t numbers = 0;  // of one problem
};

std::vector<ProbedTap> probed_taps(const Member& member, const EncodedQuestions& set,
                                   bool with_heads) {
  std::vector<ProbedTap> taps;
  const auto add = [&](const std::string& name, TapId tap, Index head) {
    if (taps.empty() || taps.back().tap != tap) taps.push_back({tap, {}, 0});
    const Index positions = positions_at(member, set, tap);
    for (Index position = 0; position < positions; ++position)
      taps.back().places.push_back({name, tap, head, position});
    const Shape& shape = member.model->taps()[tap].shape;
    taps.back().numbers += to_size(positions * shape[-1]);
  };
  for (const TapId tap : stream_taps(member)) add(member.model->taps()[tap].path, tap, -1);
  if (with_heads)
    for (const Head& head : heads_of(member)) add(head.name, head.z, head.index);
  return taps;
}

Member untrained_like(const Member& member) {
  Config config = member.config;
  config.seed = Rng(config.seed, "probe.untrained").next_u64();
  return make_member(config);
}

/// Probes tap after tap, as many at once as memory allows.
class Prober {
 public:
  Prober(const Member& member, const ProbePlan& plan, Team& team)
      : member_(member),
        untrained_(untrained_like(member)),
        plan_(plan),
        set_(encoded(member, questions_of(plan.problems()))),
        team_(team) {}

  const EncodedQuestions& set() const { return set_; }
  /// Results of some taps, in the order of their places.
  void probe(std::span<const ProbedTap> taps, const std::function<void(Index)>& done,
             std::vector<ProbeResult>& out) const {
    std::vector<TapId> ids;
    std::vector<Place> places;
    for (const ProbedTap& tap : taps) {
      ids.push_back(tap.tap);
      places.insert(places.end(), tap.places.begin(), tap.places.end());
    }
    const VariantProgress alive = [&](Index, Index) { done(0); };
    const TapValues trained(member_, set_, ids, team_, alive),
        untrained(untrained_, set_, ids, team_, alive);
    const std::size_t first = out.size();
    out.resize(first + places.size() * plan_.targets());
    const std::size_t round = 4 * to_size(team_.size());
    for (std::size_t start = 0; start < places.size(); start += round) {
      const std::size_t count = std::min(round, places.size() - start);
      team_.run(static_cast<int>(count), [&](int piece) {
        const std::size_t i = start + to_size(piece);
        const auto results = std::span(out).subspan(first + i * plan_.targets(), plan_.targets());
        probe_place(places[i], trained, untrained, results);
      });
      done(static_cast<Index>(count));
    }
  }

 private:
  void probe_place(const Place& place, const TapValues& trained, const TapValues& untrained,
                   std::span<ProbeResult> results) const {
    const std::size_t width = trained.at(place, 0).size();
    const auto prober = [&](const TapValues& values) {
      return PlaceProber(plan_, width, [&](Index i) { return values.at(place, i).data(); });
    };
    prober(trained).fill(results);
    const std::vector<Count> before = prober(untrained).carries();
    for (std::size_t i = 0; i < results.size(); ++i) {
      results[i].tap = place.name;
      results[i].position = place.position;
      results[i].token =
          position_name(member_.model->shape(), stream_at(member_, place.tap), place.position);
      results[i].untrained = PlaceProber::share(before[i]);
    }
  }

  const Member& member_;
  Member untrained_;
  const ProbePlan& plan_;
  EncodedQuestions set_;
  Team& team_;
};

}  // namespace

Probing probe_member(const Member& member, const ProbeProblems& problems,
                     const ProbeOptions& options, Team& team, const ProbeProgress& progress) {
  check<UsageError>(!problems.train.empty() && !problems.test.empty(),
                    "probe: {} problems to fit and {} to score; at least one of each is needed",
                    problems.train.size(), problems.test.size());
  const ProbePlan plan(member.config, problems, options);
  const Prober prober(member, plan, team);
  const std::vector<ProbedTap> taps = probed_taps(member, prober.set(), options.heads);
  Index total = 0, done = 0;
  for (const ProbedTap& tap : taps) total += std::ssize(tap.places);
  const auto step = [&](Index places) {
    done += places;
    if (progress) progress(done, total);
  };
  Probing probing{.trained_on = static_cast<std::int64_t>(problems.train.size()),
                  .tested_on = static_cast<std::int64_t>(problems.test.size()),
                  .probes = {}};
  for (std::size_t first = 0; first < taps.size();) {
    std::size_t end = first, numbers = 0;
    do {
      numbers += taps[end++].numbers * plan.problems().size();
    } while (end < taps.size() &&
             numbers + taps[end].numbers * plan.problems().size() <= kMostNumbers);
    prober.probe(std::span(taps).subspan(first, end - first), step, probing.probes);
    first = end;
  }
  return probing;
}

}  // namespace heddle
