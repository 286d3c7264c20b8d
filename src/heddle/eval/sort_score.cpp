// See sort_score.hpp.
#include "heddle/eval/sort_score.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "heddle/base/check.hpp"

namespace heddle {

namespace {

void check_answers(const SortAnswers& answers) {
  check<ShapeError>(answers.margins.size() == answers.labels.size(),
                    "{} margins but {} labels: accepted is one of each per sequence",
                    answers.margins.size(), answers.labels.size());
  for (std::size_t i = 0; i < answers.margins.size(); ++i)
    check(!std::isnan(answers.margins[i]), "the margin of sequence {} is not a number", i);
}

/// Places by margin, smallest first.
std::vector<std::size_t> by_margin(const SortAnswers& answers) {
  std::vector<std::size_t> order(answers.margins.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return answers.margins[i]; });
  return order;
}

/// Answers with one and the same margin.
struct Group {
  double margin = 0;
  std::int64_t positives = 0, negatives = 0;
};

/// The distinct margins, smallest first.
std::vector<Group> groups_of(const SortAnswers& answers) {
  std::vector<Group> groups;
  for (const std::size_t i : by_margin(answers)) {
    const double margin = answers.margins[i];
    if (groups.empty() || groups.back().margin != margin)
      groups.push_back({.margin = margin, .positives = 0, .negatives = 0});
    ++(answers.labels[i] == 1 ? groups.back().positives : groups.back().negatives);
  }
  return groups;
}

Count twins_right(const SortAnswers& answers, double threshold) {
  Count pairs;
  for (std::size_t i = 0; i + 1 < answers.margins.size(); i += 2) {
    check(answers.labels[i] == 1 && answers.labels[i + 1] == 0,
          "sequences {} and {} have labels {} and {}: twins have 1 and 0", i, i + 1,
          answers.labels[i], answers.labels[i + 1]);
    pairs.add(answers.margins[i] > threshold && answers.margins[i + 1] <= threshold);
  }
  return pairs;
}

/// A point t with below ≤ t < above, well inside where there is room.
double between(double below, double above) {
  const double middle = std::midpoint(below, above);
  return middle < above && middle >= below ? middle : below;
}

}  // namespace

SortScore score_sorted(const SortAnswers& answers, const SortScoring& scoring) {
  constexpr double kNearlyAll = 0.99;
  check_answers(answers);
  SortScore score;
  score.threshold = scoring.threshold;
  double smallest = std::numeric_limits<double>::infinity(), largest = -smallest;
  Count called;
  for (std::size_t i = 0; i < answers.margins.size(); ++i) {
    const double margin = answers.margins[i];
    const bool sorted = margin > scoring.threshold, truth = answers.labels[i] == 1;
    called.add(sorted);
    score.all.add(sorted == truth);
    (truth ? score.positives : score.negatives).add(sorted == truth);
    if (truth) smallest = std::min(smallest, margin);
    if (!truth) largest = std::max(largest, margin);
  }
  score.interval = wilson(score.all);
  score.auroc = auroc_of(answers);
  score.predicted_positive = called.share();
  score.constant = called.total > 0 && std::max(called.share(), 1 - called.share()) >= kNearlyAll;
  if (scoring.twins) score.pairs = twins_right(answers, scoring.threshold);
  score.smallest_positive = score.positives.total > 0 ? smallest : 0;
  score.largest_negative = score.negatives.total > 0 ? largest : 0;
  return score;
}

double auroc_of(const SortAnswers& answers) {
  check_answers(answers);
  std::int64_t below = 0, positives = 0;  // negatives with smaller margins, positives so far
  std::int64_t halves = 0;                // twice the pairs won: a tie wins one half
  for (const Group& group : groups_of(answers)) {
    halves += group.positives * (2 * below + group.negatives);
    below += group.negatives;
    positives += group.positives;
  }
  if (below == 0 || positives == 0) return 0.5;
  return static_cast<double>(halves) / (2 * static_cast<double>(below * positives));
}

double frozen_threshold(const SortAnswers& answers) {
  check_answers(answers);
  const std::vector<Group> groups = groups_of(answers);
  if (groups.empty()) return 0;
  // Thresholds in [below, above) answer alike; the first of them calls everything sorted.
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::int64_t right = 0, most = -1;
  for (const Group& group : groups) right += group.positives;
  double best = 0, below = -kInfinity;
  for (std::size_t i = 0; i <= groups.size(); ++i) {
    const double above = i < groups.size() ? groups[i].margin : kInfinity;
    double here = 0;
    if (below > 0 || above <= 0) {
      here = i == 0               ? std::nextafter(above, -kInfinity)
             : i == groups.size() ? below
                                  : between(below, above);
    }
    if (right > most || (right == most && std::abs(here) < std::abs(best))) {
      most = right;
      best = here;
    }
    if (i == groups.size()) break;
    right += groups[i].negatives - groups[i].positives;
    below = above;
  }
  return best;
}

SortCell cell_of(const SetSpec& spec, const SortScore& score, const SequenceMakeup& makeup,
                 double ceiling) {
  return {.length = spec.length,
          .kind = std::string(name_of(spec.kind)),
          .delta = spec.delta,
          .values = std::string(name_of(spec.values)),
          .correct = score.all.correct,
          .total = score.all.total,
          .low = score.interval.low,
          .high = score.interval.high,
          .tpr = score.positives.share(),
          .tnr = score.negatives.share(),
          .auroc = score.auroc,
          .predicted_positive = score.predicted_positive,
          .constant = score.constant,
          .threshold = score.threshold,
          .ceiling = ceiling,
          .pairs_correct = score.pairs.correct,
          .pairs_total = score.pairs.total,
          .ties = makeup.tie_share(),
          .gap1 = makeup.gap1_share(),
          .descents = makeup.mean_descents()};
}

}  // namespace heddle
