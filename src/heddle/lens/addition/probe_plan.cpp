// See plan.hpp.
#include "heddle/lens/addition/probe_plan.hpp"

#include <algorithm>
#include <set>

#include "heddle/base/index.hpp"
#include "heddle/base/rng.hpp"
#include "heddle/task/addition/carries.hpp"
#include "heddle/task/addition/carry_balance.hpp"
#include "heddle/task/addition/splits.hpp"

namespace heddle {
namespace {

/// The two digits of a column, the smaller one first.
std::pair<int, int> digit_pair(const Problem& problem, std::size_t column) {
  return std::minmax({static_cast<int>(problem.a[column]), static_cast<int>(problem.b[column])});
}

/// A quarter of the 55 pairs of digits, one of every four neighbours in order of their sums, so
/// that small and large sums are held out alike.
std::set<std::pair<int, int>> held_out_pairs(Rng rng) {
  constexpr std::size_t kOf = 4;
  std::vector<std::pair<int, int>> pairs;
  for (int sum = 0; sum <= 18; ++sum)
    for (int a = 0; 2 * a <= sum; ++a)
      if (sum - a <= 9) pairs.emplace_back(a, sum - a);
  std::set<std::pair<int, int>> held;
  for (std::size_t first = 0; first < pairs.size(); first += kOf)
    held.insert(pairs[first + rng.below(std::min(kOf, pairs.size() - first))]);
  return held;
}

constexpr std::size_t kSums = 19;

ColumnClasses carry_classes() {
  ColumnClasses yes{};
  for (std::size_t sum = 0; sum < kSums; ++sum) yes[2 * sum + 1] = true;
  return yes;
}
ColumnClasses classes_from(int least_sum) {
  ColumnClasses yes{};
  for (std::size_t i = 2 * to_size(least_sum); i < yes.size(); ++i) yes[i] = true;
  return yes;
}

}  // namespace

ProbeProblems draw_probe_problems(const Config& config, Index train, Index test) {
  constexpr Index kPatience = 1000;  // draws in a row that bring nothing new
  const auto digits = static_cast<int>(config.task.digits);
  const auto top = to_size(digits) - 1;
  const bool full_length = config.task.source == DataSource::fixed;
  PairSet taken;
  const auto draw = [&](Index count, std::string_view name) {
    Rng rng(config.seed, name);
    std::vector<Problem> problems;
    for (Index vain = 0; std::ssize(problems) < count && vain < kPatience;) {
      const Problem problem = draw_even_sums(rng, digits);
      if (full_length && (problem.a[top] == 0 || problem.b[top] == 0)) continue;
      vain = taken.insert(problem) ? 0 : vain + 1;
      if (vain == 0) problems.push_back(problem);
    }
    return problems;
  };
  ProbeProblems problems;
  problems.train = draw(train, "probe.train");
  problems.test = draw(test, "probe.test");
  return problems;
}

ProbePlan::ProbePlan(const Config& config, const ProbeProblems& problems,
                     const ProbeOptions& options)
    : digits_(to_size(config.task.digits)),
      train_(problems.train.size()),
      seed_(config.seed),
      options_(options),
      problems_(problems.train) {
  problems_.insert(problems_.end(), problems.test.begin(), problems.test.end());
  for (const Problem& problem : problems_) {
    const Carries carries = carries_of(problem);
    for (std::size_t column = 0; column < digits_; ++column)
      classes_.push_back(static_cast<std::uint8_t>(2 * (problem.a[column] + problem.b[column]) +
                                                   (carries.out[column] ? 1 : 0)));
  }
  add_sample(-1);
  for (int column = 1; column < static_cast<int>(digits_); ++column) add_sample(column);
}

std::size_t ProbePlan::class_of(Index problem, std::size_t column) const {
  return classes_[to_size(problem) * digits_ + column];
}

/// All problems, or those in which column `nine` sums to 9.
void ProbePlan::add_sample(int nine) {
  std::vector<Index> train, test;
  for (std::size_t i = 0; i < problems_.size(); ++i) {
    const auto at = to_size(std::max(nine, 0));
    if (nine >= 0 && problems_[i].a[at] + problems_[i].b[at] != 9) continue;
    (i < train_ ? train : test).push_back(static_cast<Index>(i));
  }
  ProbeSample sample{.train = train, .targets = {}};
  const std::size_t first = nine < 0 ? 0 : to_size(nine) - 1;
  const std::size_t end = nine < 0 ? digits_ : first + 1;
  for (std::size_t column = first; column < end; ++column)
    sample.targets.push_back(target_of(column, nine, train, test));
  targets_ += sample.targets.size();
  samples_.push_back(std::move(sample));
}

ProbeTarget ProbePlan::target_of(std::size_t column, int nine, std::span<const Index> train,
                                 std::span<const Index> test) const {
  ProbeTarget target;
  target.name =
      nine < 0 ? fmt::format("carry.{}", column) : fmt::format("carry_in.{} | sum 9", nine);
  target.column = column;
  target.carry = balanced(carry_classes(), column, test);
  for (int k = options_.least; k <= options_.most; ++k)
    if (k != 10) target.controls.push_back(balanced(classes_from(k), column, test));
  const auto held = held_out_pairs(Rng(seed_, "probe.held_out", column));
  const auto is_held = [&](Index i) {
    return held.contains(digit_pair(problems_[to_size(i)], column));
  };
  std::vector<Index> unseen;
  std::ranges::copy_if(train, std::back_inserter(target.kept_out), is_held);
  std::ranges::copy_if(test, std::back_inserter(unseen), is_held);
  target.held_out = balanced(carry_classes(), column, unseen);
  return target;
}

ProbeQuestion ProbePlan::balanced(const ColumnClasses& yes, std::size_t column,
                                  std::span<const Index> test) const {
  ProbeQuestion question{.yes = yes, .test = {}};
  const auto says_yes = [&](Index i) { return yes[class_of(i, column)]; };
  const auto most = to_size(std::ranges::count_if(test, says_yes));
  const std::size_t each = std::min(most, test.size() - most);
  std::array<std::size_t, 2> taken{};
  for (const Index i : test)
    if (taken[says_yes(i) ? 1 : 0]++ < each) question.test.push_back(i);
  return question;
}

}  // namespace heddle
