// Problems: digits of any length, their carries, and their tokens.
#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "heddle/base/check.hpp"
#include "heddle/base/index.hpp"
#include "heddle/base/rng.hpp"
#include "heddle/task/addition/carries.hpp"
#include "heddle/task/addition/carry_balance.hpp"
#include "heddle/task/addition/census.hpp"
#include "heddle/task/addition/encoding.hpp"

namespace heddle {
namespace {

using Tokens = std::vector<std::int32_t>;

/// School addition of two decimal texts of equal length, most significant digit first.
std::string school_sum(const std::string& a, const std::string& b) {
  std::string sum;
  int carry = 0;
  for (std::size_t i = a.size(); i-- > 0;) {
    const int column = (a[i] - '0') + (b[i] - '0') + carry;
    sum.insert(sum.begin(), static_cast<char>('0' + column % 10));
    carry = column / 10;
  }
  return (carry ? "1" : "0") + sum;
}

TaskConfig task_of(std::int64_t digits, DigitOrder order = DigitOrder::most,
                   BosKind bos = BosKind::token, PadKind pad = PadKind::token) {
  TaskConfig config;
  config.digits = digits;
  config.order = order;
  config.bos = bos;
  config.pad = pad;
  return config;
}

struct Row {
  Tokens source, in, out;
};
Row encoded(const TaskConfig& config, std::string_view text) {
  const AdditionEncoding encoding(config);
  const Problem problem = parse_problem(text, encoding.digits());
  Batch batch;
  encoding.encode(std::span(&problem, 1), batch);
  return {.source = batch.source, .in = batch.target_in, .out = batch.target_out};
}

std::string parse_refusal(std::string_view text, int digits) {
  try {
    parse_problem(text, digits);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

void check_sum(const Problem& problem) {
  const std::string text = problem_text(problem);
  const auto n = to_size(problem.digits);
  ASSERT_EQ(text.size(), 2 * n + 1);
  ASSERT_EQ(sum_text(problem), school_sum(text.substr(0, n), text.substr(n + 1)));
}

TEST(AdditionProblem, SumsOfAnyLength) {
  for (const int digits : {1, 3, 18, 19, 20, 40, 64}) {
    Rng rng(1, "test", static_cast<std::uint64_t>(digits));
    for (int i = 0; i < 150; ++i) {
      check_sum(draw_uniform(rng, digits));
      check_sum(draw_carry_balanced(rng, digits));
    }
  }
  const std::string nines(40, '9');
  EXPECT_EQ(sum_text(parse_problem(nines + "+1", 40)), "1" + std::string(40, '0'));
}

TEST(AdditionProblem, CanonicalIsOneForBothOrders) {
  EXPECT_EQ(canonical(make_problem(374, 814, 3)), canonical(make_problem(814, 374, 3)));
  EXPECT_EQ(canonical(make_problem(374, 814, 3)), make_problem(374, 814, 3));
  EXPECT_EQ(canonical(make_problem(219, 191, 3)), make_problem(191, 219, 3));
  EXPECT_FALSE(make_problem(374, 814, 3) == make_problem(374, 815, 3));
}

TEST(AdditionProblem, ParsesWhatPeopleType) {
  EXPECT_EQ(parse_problem("374+814", 3), make_problem(374, 814, 3));
  EXPECT_EQ(parse_problem("  374 + 814 ", 3), make_problem(374, 814, 3));
  EXPECT_EQ(parse_problem("7+14", 3), make_problem(7, 14, 3));
  EXPECT_EQ(problem_text(parse_problem("7+14", 5)), "00007+00014");
}

TEST(AdditionProblem, RefusesTheRest) {
  const std::string accepted =
      ": accepted are two numbers of 1 to 3 digits and a plus, such as 374+814";
  EXPECT_EQ(parse_refusal("374814", 3), "'374814' has no plus" + accepted);
  EXPECT_EQ(parse_refusal("", 3), "'' has no plus" + accepted);
  EXPECT_EQ(parse_refusal("37a+814", 3), "'37a+814' has '37a' for a number" + accepted);
  EXPECT_EQ(parse_refusal("-3+814", 3), "'-3+814' has '-3' for a number" + accepted);
  EXPECT_EQ(parse_refusal("1+2+3", 3), "'1+2+3' has '2+3' for a number" + accepted);
  EXPECT_EQ(parse_refusal("1 2+3", 3), "'1 2+3' has '1 2' for a number" + accepted);
  EXPECT_EQ(parse_refusal("+814", 3), "'+814' lacks a number" + accepted);
  EXPECT_EQ(parse_refusal("374+", 3), "'374+' lacks a number" + accepted);
  EXPECT_EQ(parse_refusal("3740+814", 3), "'3740+814' has a number of 4 digits" + accepted);
  EXPECT_EQ(parse_refusal("3\n+1", 3), "'3\\x0a+1' has '3\\x0a' for a number" + accepted);
  EXPECT_EQ(parse_refusal("12+3", 1),
            "'12+3' has a number of 2 digits: accepted are two numbers of 1 to 1 digits and a "
            "plus, such as 3+8");
}

TEST(AdditionCarries, OfSingleProblems) {
  const Carries none = carries_of(make_problem(123, 456, 3));
  EXPECT_EQ(none.count, 0);
  EXPECT_EQ(none.cascade, 0);
  EXPECT_FALSE(none.top);
  const Carries top = carries_of(make_problem(374, 814, 3));  // only 3 + 8 carries
  EXPECT_EQ(top.count, 1);
  EXPECT_TRUE(top.top);
  EXPECT_EQ(std::vector<bool>(top.out.begin(), top.out.begin() + 3),
            (std::vector<bool>{false, false, true}));
  EXPECT_EQ(carries_of(make_problem(195, 5, 3)).cascade, 1);  // 9 + 0 passes the carry of 5 + 5
  EXPECT_EQ(carries_of(make_problem(995, 5, 3)).cascade, 2);
  EXPECT_EQ(carries_of(make_problem(990, 9, 3)).cascade, 0);     // sums to 9, nothing to pass
  EXPECT_EQ(carries_of(make_problem(9595, 505, 4)).cascade, 1);  // two, a column apart
  EXPECT_EQ(carries_of(parse_problem("9999999+1", 7)).cascade, 6);
}

/// Shares in percent, of all pairs with both operands from `least` to `most`.
std::vector<double> shares(std::uint64_t least, std::uint64_t most, double* sum_below_1000) {
  Makeup makeup(3);
  Index below = 0;
  for (std::uint64_t a = least; a <= most; ++a)
    for (std::uint64_t b = least; b <= most; ++b) {
      makeup.add(make_problem(a, b, 3));
      below += a + b < 1000 ? 1 : 0;
    }
  *sum_below_1000 = 100 * makeup.share(below);
  EXPECT_EQ(makeup.count - makeup.top_carries, below);
  EXPECT_EQ(makeup.by_cascade[1] + makeup.by_cascade[2], makeup.cascades);
  std::vector<double> all;
  all.reserve(6);
  for (const Index n : makeup.by_carries) all.push_back(100 * makeup.share(n));
  all.push_back(100 * makeup.share(makeup.cascades));
  all.push_back(100 * makeup.share(makeup.double_cascades));
  return all;
}

TEST(AdditionCarries, SharesOfAllPairsAreTheKnownOnes) {
  double below = 0;
  const std::vector<double> all = shares(0, 999, &below);
  const std::vector<double> expected{16.6, 35.9, 33.9, 13.6, 9.0, 0.45};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(all[i], expected[i], 0.05) << i;
  EXPECT_DOUBLE_EQ(all[5], 0.45);

  const std::vector<double> full = shares(100, 999, &below);
  const std::vector<double> known{13.4, 34.4, 36.0, 16.2, 8.9};
  for (std::size_t i = 0; i < known.size(); ++i) EXPECT_NEAR(full[i], known[i], 0.05) << i;
  EXPECT_NEAR(below, 39.56, 0.005);
}

TEST(AdditionCarries, BalancedProblemsHaveManyCascades) {
  Rng rng(1, "test");
  std::vector<Problem> problems(20000);
  for (Problem& problem : problems) problem = draw_carry_balanced(rng, 3);
  const auto share_of_units = [&](int least, int most) {
    const auto count = std::ranges::count_if(problems, [&](const Problem& p) {
      return p.a[0] + p.b[0] >= least && p.a[0] + p.b[0] <= most;
    });
    return static_cast<double>(count) / 20000;
  };
  EXPECT_NEAR(share_of_units(0, 8), 1.0 / 3, 0.015);
  EXPECT_NEAR(share_of_units(9, 9), 1.0 / 3, 0.015);
  EXPECT_NEAR(share_of_units(10, 18), 1.0 / 3, 0.015);
  // 1/9 + (4/9)/3 − 1/27 = 2/9 of the problems have a cascade, 1/27 a double one.
  const Makeup makeup = makeup_of(problems, 3);
  EXPECT_NEAR(makeup.share(makeup.cascades), 2.0 / 9, 0.015);
  EXPECT_NEAR(makeup.share(makeup.double_cascades), 1.0 / 27, 0.007);
}

TEST(AdditionEncoding, MostSignificantFirst) {
  const Row row = encoded(task_of(3), "374+814");
  EXPECT_EQ(row.source, (Tokens{3, 7, 4, kPlus, 8, 1, 4}));
  EXPECT_EQ(row.in, (Tokens{kBos, 1, 1, 8, 8}));
  EXPECT_EQ(row.out, (Tokens{1, 1, 8, 8, kEos}));
  EXPECT_EQ(encoded(task_of(3), "7+14").source, (Tokens{0, 0, 7, kPlus, 0, 1, 4}));
  EXPECT_EQ(encoded(task_of(3), "7+14").out, (Tokens{0, 0, 2, 1, kEos}));
}

TEST(AdditionEncoding, LeastSignificantFirst) {
  const Row row = encoded(task_of(3, DigitOrder::least), "374+807");
  EXPECT_EQ(row.source, (Tokens{3, 7, 4, kPlus, 8, 0, 7}));
  EXPECT_EQ(row.in, (Tokens{kBos, 1, 8, 1, 1}));
  EXPECT_EQ(row.out, (Tokens{1, 8, 1, 1, kEos}));
}

TEST(AdditionEncoding, WithoutBosTheFirstDigitIsNeverALabel) {
  const Row row = encoded(task_of(3, DigitOrder::most, BosKind::none), "374+826");
  EXPECT_EQ(row.in, (Tokens{1, 2, 0}));
  EXPECT_EQ(row.out, (Tokens{2, 0, 0}));
}

TEST(AdditionEncoding, WithPadZeroTheDigitZeroBearsNoLoss) {
  const Row both = encoded(task_of(3, DigitOrder::most, BosKind::none, PadKind::zero), "374+826");
  EXPECT_EQ(both.in, (Tokens{1, 2, 0}));
  EXPECT_EQ(both.out, (Tokens{2, kNoTarget, kNoTarget}));
  const Row one = encoded(task_of(3, DigitOrder::most, BosKind::token, PadKind::zero), "7+14");
  EXPECT_EQ(one.in, (Tokens{kBos, 0, 0, 2, 1}));
  EXPECT_EQ(one.out, (Tokens{kNoTarget, kNoTarget, 2, 1, kEos}));
  EXPECT_EQ(AdditionEncoding(task_of(3)).pad_token(), kPad);
  EXPECT_EQ(
      AdditionEncoding(task_of(3, DigitOrder::most, BosKind::token, PadKind::zero)).pad_token(), 0);
}

TEST(AdditionEncoding, JudgesGeneratedAnswers) {
  const Problem problem = make_problem(374, 814, 3);
  const AdditionEncoding most(task_of(3));
  EXPECT_TRUE(most.correct(problem, Tokens{1, 1, 8, 8, kEos}));
  EXPECT_FALSE(most.correct(problem, Tokens{0, 1, 8, 8, kEos}));
  EXPECT_FALSE(most.correct(problem, Tokens{1, 1, 8, 8, 8}));
  EXPECT_FALSE(most.correct(problem, Tokens{1, 1, 8, 8}));
  EXPECT_EQ(most.answer_text(Tokens{1, 1, 8, 8, kEos}), "1188");
  EXPECT_EQ(most.answer_text(Tokens{1, kPlus, 8, 8, 8}), "1+888");
  const AdditionEncoding least(task_of(3, DigitOrder::least));
  EXPECT_TRUE(least.correct(problem, Tokens{8, 8, 1, 1, kEos}));
  EXPECT_EQ(least.answer_text(Tokens{8, 9, 1, 1, kEos}), "1198");
}

TEST(AdditionEncoding, WithoutBosTheStartIsTheAnswersFirstDigit) {
  const AdditionEncoding defect(task_of(3, DigitOrder::most, BosKind::none));
  EXPECT_EQ(defect.start_token(), 0);
  EXPECT_EQ(defect.answer_text(Tokens{1, 8, 8}), "0188");  // what report D printed
  EXPECT_FALSE(defect.correct(make_problem(374, 814, 3), Tokens{1, 8, 8}));
  EXPECT_TRUE(defect.correct(make_problem(100, 88, 3), Tokens{1, 8, 8}));
  EXPECT_FALSE(defect.correct(make_problem(100, 88, 3), Tokens{1, 8, 9}));
}

TEST(AdditionEncoding, ColumnsOfOutputPositions) {
  const AdditionEncoding most(task_of(3));
  const AdditionEncoding least(task_of(3, DigitOrder::least));
  const AdditionEncoding defect(task_of(3, DigitOrder::most, BosKind::none));
  EXPECT_EQ(most.column_of(0), 3);
  EXPECT_EQ(most.column_of(3), 0);
  EXPECT_EQ(most.column_of(4), -1);
  EXPECT_EQ(least.column_of(0), 0);
  EXPECT_EQ(least.column_of(4), -1);
  EXPECT_EQ(defect.column_of(0), 2);
  EXPECT_EQ(defect.column_of(2), 0);
}

TEST(AdditionEncoding, TokensAsText) {
  EXPECT_EQ(tokens_text(Tokens{3, 7, kPlus, kPad, kBos, kEos, -1, 14}), "37+PADBOSEOS??");
  for (std::int32_t a = 0; a < kVocabulary; ++a)
    for (std::int32_t b = 0; b < a; ++b) EXPECT_NE(token_text(a), token_text(b));
}

TEST(AdditionCensus, HoldsEveryPairOnce) {
  const Census census(2);
  std::vector<Problem> block;
  std::set<std::string> texts;
  std::vector<Index> numbers;
  for (Index first = 0; first < census.size(); first += 333) {
    census.block(first, 333, block);
    for (const Problem& problem : block) {
      numbers.push_back(census.number_of(problem));
      texts.insert(problem_text(problem));
    }
  }
  std::vector<Index> expected(10000);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(numbers, expected);
  EXPECT_EQ(texts.size(), 10000U);
  EXPECT_EQ(Census(3).size(), 1000000);
  EXPECT_EQ(problem_text(Census(3).at(374814)), "374+814");
}

TEST(AdditionCensus, RefusesMoreThanThreeDigits) {
  try {
    const Census census(4);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(
        error.what(),
        "a census of 4-digit operands would be 10^8 problems: accepted is at most 3 digits");
  }
}

TEST(AdditionCensus, SeenHoldsBothOrders) {
  SeenPairs seen(3);
  EXPECT_FALSE(seen.contains(make_problem(374, 814, 3)));
  seen.mark(make_problem(374, 814, 3));
  EXPECT_TRUE(seen.contains(make_problem(374, 814, 3)));
  EXPECT_TRUE(seen.contains(make_problem(814, 374, 3)));
  EXPECT_EQ(seen.count(), 2);
  seen.mark(make_problem(814, 374, 3));
  seen.mark(make_problem(5, 5, 3));
  EXPECT_EQ(seen.count(), 3);
}

}  // namespace
}  // namespace heddle
