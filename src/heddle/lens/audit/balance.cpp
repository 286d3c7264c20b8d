// Checks of how often each answer is the right one, and how hard the questions are.
#include <algorithm>
#include <cmath>
#include <map>

#include "heddle/base/text.hpp"
#include "heddle/lens/audit/parts.hpp"
#include "heddle/lens/stats/stats.hpp"
#include "heddle/task/sortedness/sequence.hpp"

namespace heddle {
namespace {

Counts first_answers(const Questions& list) {
  Counts counts;
  for (Index i = 0; i < list.size(); ++i)
    if (!list[i].output.empty()) ++counts[list[i].output.front()];
  return counts;
}

/// The chance of a χ² at least as large, after Wilson and Hilferty: ∛(χ²/k) is nearly normal.
double chi_square_tail(double chi, double freedom) {
  const double spread = 2 / (9 * freedom);
  const double z = (std::cbrt(chi / freedom) - (1 - spread)) / std::sqrt(spread);
  return 0.5 * std::erfc(z / std::sqrt(2.0));
}

/// The chance that two samples of one distribution differ as much; answers with few expected
/// examples are put together.
double same_shares(const Counts& a, const Counts& b) {
  constexpr double kFew = 5;
  double all_a = 0, all_b = 0;
  Counts both = a;
  for (const auto& [answer, count] : a) all_a += static_cast<double>(count);
  for (const auto& [answer, count] : b) {
    all_b += static_cast<double>(count);
    both[answer] += count;
  }
  double chi = 0, cells = 0, rare_a = 0, rare_b = 0;
  const auto add = [&](double in_a, double in_b) {
    const double expected_a = (in_a + in_b) * all_a / (all_a + all_b);
    const double expected_b = (in_a + in_b) * all_b / (all_a + all_b);
    chi += (in_a - expected_a) * (in_a - expected_a) / expected_a +
           (in_b - expected_b) * (in_b - expected_b) / expected_b;
    ++cells;
  };
  for (const auto& [answer, count] : both) {
    const auto in_b = static_cast<double>(b.contains(answer) ? b.at(answer) : 0);
    const double in_a = static_cast<double>(count) - in_b;
    const double least = (in_a + in_b) * std::min(all_a, all_b) / (all_a + all_b);
    if (least >= kFew) {
      add(in_a, in_b);
    } else {
      rare_a += in_a;
      rare_b += in_b;
    }
  }
  if (rare_a + rare_b > 0) add(rare_a, rare_b);
  return cells < 2 || all_a == 0 || all_b == 0 ? 1 : chi_square_tail(chi, cells - 1);
}

/// Where exactly half of every set should be sorted.
AuditCheck half_and_half(const AuditData& data, AuditCheck check) {
  std::string uneven;
  for (const Split split : {Split::train, Split::validation, Split::test}) {
    const Questions& list = data.list(split);
    const std::string name = field_text(split);
    const Counts counts = first_answers(list);
    const std::int64_t positive = counts.contains(1) ? counts.at(1) : 0;
    const std::int64_t negative = list.size() - positive;
    check.evidence.push_back(
        {fmt::format("sorted in {}", name),
         fmt::format("{}; p = {:.2g} for a fair coin", count_text(positive, list.size()),
                     sign_test(positive, negative))});
    if (positive == negative) continue;
    uneven += fmt::format("{}{} in {}", uneven.empty() ? "" : ", ",
                          count_text(positive, list.size()), name);
  }
  check.finding = uneven.empty() ? "exactly half of every set is sorted" : "sorted are " + uneven;
  if (uneven.empty()) return check;
  check.verdict = AuditCheck::kFail;
  check.meaning =
      "labels come from a coin: a constant answer scores another number on every set, "
      "which looks like a difference between models";
  check.advice = "draw exactly as many sequences of either label (task.source=stream)";
  return check;
}

AuditCheck balance(const AuditSubject& s) {
  constexpr double kLopsided = 0.95, kUnlikely = 0.001;
  AuditCheck check{.name = "label balance"};
  const Task& task = s.task();
  if (task.traits().half_sorted) return half_and_half(*s.data, std::move(check));
  const Counts trained = first_answers(s.data->train), asked = first_answers(task.test());
  if (asked.empty()) return not_applicable(check.name, "the answers are empty");
  const auto most = std::ranges::max_element(
      asked, [](const auto& a, const auto& b) { return a.second < b.second; });
  const double share = static_cast<double>(most->second) / static_cast<double>(task.test().size());
  const double p = same_shares(trained, asked);
  const std::string name =
      s.asked.labels ? task.answer_text(std::span(&most->first, 1)) : task.token(most->first);
  const std::int64_t in_train = trained.contains(most->first) ? trained.at(most->first) : 0;
  check.evidence = {{"most frequent in the test", name},
                    {"its share of the test", count_text(most->second, task.test().size())},
                    {"its share of training", count_text(in_train, s.data->train.size())},
                    {"p that training and test have the same shares", fmt::format("{:.2g}", p)}};
  check.finding =
      fmt::format("{} answers of the test {} {}", count_text(most->second, task.test().size()),
                  s.asked.labels ? "are" : "begin with", name);
  if (share >= kLopsided && asked.size() + trained.size() > 2) {
    check.verdict = AuditCheck::kFail;
    check.meaning = fmt::format("whoever always says {} is right that often", name);
    check.advice = "balance the test, or report the accuracy of each answer by itself";
  } else if (p < kUnlikely && s.data->drawn == 0) {
    check.verdict = AuditCheck::kNote;
    check.meaning = "training and test have their answers in different shares";
    check.advice = "report the accuracy of each answer by itself";
  }
  return check;
}

/// Of sortedness: an unsorted sequence with a single descent is the question that tells models
/// apart.
AuditCheck hard_negatives(const AuditSubject& s) {
  constexpr double kFew = 0.1;
  AuditCheck check{.name = "hard negatives"};
  Count single;
  std::int64_t descents = 0;
  for (Index i = 0; i < s.task().test().size(); ++i) {
    const Question question = s.question(i);
    if (question.label() == 1) continue;
    const Index here = steps_of(question.input).descents;
    single.add(here == 1);
    descents += here;
  }
  const double mean =
      single.total > 0 ? static_cast<double>(descents) / static_cast<double>(single.total) : 0;
  check.evidence = {{"descents of an unsorted sequence, on average", fmt::format("{:.2f}", mean)},
                    {"with a single one", count_text(single.correct, single.total)}};
  check.finding = fmt::format("{} unsorted sequences have a single descent",
                              count_text(single.correct, single.total));
  if (single.share() >= kFew) return check;
  check.verdict = AuditCheck::kFail;
  check.meaning =
      "a model that finds one descent out of many scores the same as one that finds "
      "every descent";
  check.advice = "ask about negatives with one descent too (task.kinds=adjacent,distant,dip)";
  return check;
}

}  // namespace

void audit_balance(const AuditSubject& s, AuditChecks& checks) {
  const bool sorts = s.data != nullptr && s.task().traits().half_sorted;
  checks.push_back(s.data != nullptr ? balance(s) : could_not_tell("label balance", s.no_data));
  checks.push_back(sorts ? hard_negatives(s)
                         : not_applicable("hard negatives", "the task is not sortedness"));
}

}  // namespace heddle
