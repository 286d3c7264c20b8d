// Minimal pairs: what they promise, recomputed from the sums.
#include "heddle/task/addition/minimal_pairs.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>

#include <gtest/gtest.h>

#include "heddle/base/check.hpp"
#include "heddle/base/index.hpp"
#include "heddle/task/addition/carries.hpp"
#include "heddle/task/addition/encoding.hpp"

namespace heddle {
namespace {

std::size_t place(int column) {
  return to_size(column);
}

/// The columns in which two problems have other digits; −1 among them if the counts differ.
std::set<int> changed_columns(const Problem& a, const Problem& b) {
  std::set<int> columns;
  for (int i = 0; i < a.digits; ++i)
    if (a.a[place(i)] != b.a[place(i)] || a.b[place(i)] != b.b[place(i)]) columns.insert(i);
  if (a.digits != b.digits) columns.insert(-1);
  return columns;
}

std::set<int> changed_carries(const Problem& a, const Problem& b) {
  const Carries first = carries_of(a), second = carries_of(b);
  std::set<int> columns;
  for (int i = 0; i < a.digits; ++i)
    if (first.out[place(i)] != second.out[place(i)]) columns.insert(i);
  return columns;
}

std::set<int> changed_sum_digits(const Problem& a, const Problem& b) {
  const SumDigits first = sum_of(a), second = sum_of(b);
  std::set<int> columns;
  for (int i = 0; i <= a.digits; ++i)
    if (first[place(i)] != second[place(i)]) columns.insert(i);
  return columns;
}

/// How far each of the two digits of a column moves.
std::pair<int, int> moves(const Problem& from, const Problem& to, int column) {
  return {std::abs(from.a[place(column)] - to.a[place(column)]),
          std::abs(from.b[place(column)] - to.b[place(column)])};
}

void expect_flip(const CarryPair& pair) {
  const int c = pair.column;
  EXPECT_EQ(changed_columns(pair.off, pair.on), std::set{c});
  EXPECT_EQ(changed_carries(pair.off, pair.on), std::set{c});
  EXPECT_EQ(changed_sum_digits(pair.off, pair.on), std::set{c + 1});
  EXPECT_FALSE(carries_of(pair.off).out[place(c)]);
  EXPECT_TRUE(carries_of(pair.on).out[place(c)]);
  EXPECT_EQ((sum_of(pair.off)[place(c + 1)] + 1) % 10, sum_of(pair.on)[place(c + 1)]);
}

/// The control: same column, no carry flips, and nothing above the column changes.
void expect_control(const Problem& from, const Problem& to, int column) {
  EXPECT_EQ(changed_columns(from, to), std::set{column});
  EXPECT_EQ(changed_carries(from, to), std::set<int>{});
  const std::set<int> digits = changed_sum_digits(from, to);
  EXPECT_TRUE(digits.empty() || digits == std::set{column});
  EXPECT_NE(from.a[place(column)], to.a[place(column)]);
  EXPECT_NE(from.b[place(column)], to.b[place(column)]);
}

TEST(MinimalPairs, DifferInOneCarryAndTheDigitAboveIt) {
  for (const int digits : {1, 2, 3, 7})
    for (int column = 0; column < digits; ++column) {
      Rng rng(1, "pairs", place(column));
      const auto pairs = draw_carry_pairs(rng, {.digits = digits, .column = column}, 500);
      ASSERT_EQ(pairs.size(), 500U);
      for (const CarryPair& pair : pairs) {
        expect_flip(pair);
        expect_control(pair.off, pair.off_control, column);
        expect_control(pair.on, pair.on_control, column);
      }
    }
}

int unlike(std::pair<int, int> a, std::pair<int, int> b) {
  return std::abs(a.first - b.first) + std::abs(a.second - b.second);
}

/// The nearest that a control can come to the flip's two moves, by trying all columns.
int nearest_control(const CarryPair& pair, const Problem& from) {
  const auto flip = moves(pair.off, pair.on, pair.column);
  int nearest = 99;
  for (int digits = 0; digits < 100; ++digits) {
    Problem other = from;
    other.a[place(pair.column)] = static_cast<std::uint8_t>(digits / 10);
    other.b[place(pair.column)] = static_cast<std::uint8_t>(digits % 10);
    const auto control = moves(from, other, pair.column);
    if (control.first > 0 && control.second > 0 && changed_carries(from, other).empty())
      nearest = std::min(nearest, unlike(flip, control));
  }
  return nearest;
}

/// A flip moves the two digits by 10 together. No control that keeps the carries moves them more
/// alike; on average it moves them by almost nine.
TEST(MinimalPairs, ControlsAreOfTheSameSizeAsFarAsCanBe) {
  Rng rng(2, "pairs");
  const auto pairs = draw_carry_pairs(rng, {.digits = 3, .column = 1}, 1000);
  double moved = 0;
  for (const CarryPair& pair : pairs) {
    const auto flip = moves(pair.off, pair.on, 1);
    EXPECT_EQ(flip.first + flip.second, 10);
    for (const auto& [from, to] :
         {std::pair(pair.off, pair.off_control), std::pair(pair.on, pair.on_control)}) {
      const auto control = moves(from, to, 1);
      EXPECT_EQ(unlike(flip, control), nearest_control(pair, from));
      moved += control.first + control.second;
    }
  }
  EXPECT_NEAR(moved / 2000, 8.85, 0.15);
}

/// What the decoder has read when it says the digit in question is the same, in either order.
TEST(MinimalPairs, ShareThePrefixOfTheDigit) {
  for (const DigitOrder order : {DigitOrder::most, DigitOrder::least})
    for (int column = 0; column < 3; ++column) {
      TaskConfig task;
      task.order = order;
      const AdditionEncoding encoding(task);
      Rng rng(3, "pairs", place(column));
      for (const CarryPair& pair : draw_carry_pairs(rng, {.digits = 3, .column = column}, 200)) {
        Batch batch;
        encoding.encode(std::vector{pair.off, pair.on}, batch);
        Index read = 0;
        while (encoding.column_of(read) != column + 1) ++read;
        const auto off = batch.target_in_row(0), on = batch.target_in_row(1);
        EXPECT_TRUE(std::equal(off.begin(), off.begin() + read + 1, on.begin()));
        EXPECT_NE(batch.target_out_row(0)[place(static_cast<int>(read))],
                  batch.target_out_row(1)[place(static_cast<int>(read))]);
      }
    }
}

TEST(MinimalPairs, OfFullLengthBeginWithNoZero) {
  for (int column = 0; column < 3; ++column) {
    Rng rng(4, "pairs", place(column));
    for (const CarryPair& pair :
         draw_carry_pairs(rng, {.digits = 3, .column = column, .full_length = true}, 300)) {
      expect_flip(pair);
      for (const Problem& problem : {pair.off, pair.on, pair.off_control, pair.on_control}) {
        EXPECT_GT(problem.a[2], 0);
        EXPECT_GT(problem.b[2], 0);
      }
    }
  }
}

/// Every change of a column from r to r + 10 turns up: 165 of them.
TEST(MinimalPairs, CoverAllFlips) {
  Rng rng(5, "pairs");
  std::set<std::array<int, 4>> seen;
  for (const CarryPair& pair : draw_carry_pairs(rng, {.digits = 2, .column = 0}, 4000))
    seen.insert({pair.off.a[0], pair.off.b[0], pair.on.a[0], pair.on.b[0]});
  EXPECT_EQ(seen.size(), 165U);
}

TEST(MinimalPairs, ComeFromTheStreamAlone) {
  Rng first(6, "pairs"), second(6, "pairs"), other(7, "pairs");
  const CarryPairOptions options{.digits = 3, .column = 1};
  const auto once = draw_carry_pairs(first, options, 20),
             again = draw_carry_pairs(second, options, 20),
             others = draw_carry_pairs(other, options, 20);
  int equal = 0;
  for (std::size_t i = 0; i < once.size(); ++i) {
    EXPECT_EQ(once[i].off, again[i].off);
    EXPECT_EQ(once[i].on_control, again[i].on_control);
    equal += once[i].off == others[i].off ? 1 : 0;
  }
  EXPECT_LT(equal, 3);
  EXPECT_THROW(draw_carry_pairs(first, {.digits = 3, .column = 3}, 1), UsageError);
  EXPECT_THROW(draw_carry_pairs(first, {.digits = 3, .column = -1}, 1), UsageError);
}

}  // namespace
}  // namespace heddle
