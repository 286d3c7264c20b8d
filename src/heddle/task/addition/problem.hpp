// One addition: two operands as digits, of any length up to 64, never as machine integers.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "heddle/tensor/view.hpp"

namespace heddle {

inline constexpr int kMaxDigits = 64;

/// digit[i] counts 10ⁱ: units first, zeros above the top.
using Digits = std::array<std::uint8_t, kMaxDigits>;

struct Problem {
  int digits = 0;  ///< columns of each operand, leading zeros included
  Digits a{};
  Digits b{};

  friend bool operator==(const Problem&, const Problem&) = default;
};

/// a + b: `digits` + 1 digits, units first.
using SumDigits = std::array<std::uint8_t, kMaxDigits + 1>;
SumDigits sum_of(const Problem& problem);

/// b + a.
Problem commuted(const Problem& problem);
/// b + a where b < a, else the problem itself: equal for a problem and its commuted twin.
Problem canonical(const Problem& problem);

/// Operands given as integers below 10^digits, digits ≤ 18.
Problem make_problem(std::uint64_t a, std::uint64_t b, int digits);

/// "374+814", spaces allowed; shorter operands are padded with zeros. UsageError for the rest.
Problem parse_problem(std::string_view text, int digits);

/// "374+814", each operand with all its digits.
std::string problem_text(const Problem& problem);
/// The sum with all its digits + 1 digits, most significant first: "1188".
std::string sum_text(const Problem& problem);

struct ProblemHash {
  std::size_t operator()(const Problem& problem) const;
};

}  // namespace heddle
