// Digits: adding, comparing, reading and writing them.
#include "heddle/task/addition/problem.hpp"

#include <algorithm>
#include <cstring>
#include <ranges>
#include <span>

#include "heddle/base/check.hpp"
#include "heddle/base/hash.hpp"
#include "heddle/base/index.hpp"
#include "heddle/base/text.hpp"

namespace heddle {

namespace {

void write_number(std::uint64_t number, int digits, Digits& out) {
  for (int i = 0; i < digits; ++i, number /= 10)
    out[to_size(i)] = static_cast<std::uint8_t>(number % 10);
}

std::string digits_text(std::span<const std::uint8_t> units_first) {
  std::string text;
  for (const std::uint8_t digit : units_first) text += static_cast<char>('0' + digit);
  std::ranges::reverse(text);
  return text;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

[[noreturn]] void refuse(std::string_view text, const std::string& why, int digits) {
  const std::size_t shown = std::min<std::size_t>(3, to_size(digits));
  throw UsageError(
      fmt::format("{} {}: accepted are two numbers of 1 to {} digits and a plus, such as {}+{}",
                  quote(text), why, digits, std::string_view("374").substr(0, shown),
                  std::string_view("814").substr(0, shown)));
}

/// Most significant digit first, as typed.
void read_operand(std::string_view typed, std::string_view text, int digits, Digits& out) {
  const bool numeric = std::ranges::all_of(typed, [](char c) { return c >= '0' && c <= '9'; });
  if (typed.empty()) refuse(text, "lacks a number", digits);
  if (!numeric) refuse(text, fmt::format("has {} for a number", quote(typed)), digits);
  if (typed.size() > to_size(digits))
    refuse(text, fmt::format("has a number of {} digits", typed.size()), digits);
  for (std::size_t i = 0; i < typed.size(); ++i)
    out[i] = static_cast<std::uint8_t>(typed[typed.size() - 1 - i] - '0');
}

}  // namespace

SumDigits sum_of(const Problem& problem) {
  SumDigits sum{};
  int carry = 0;
  const auto digits = to_size(problem.digits);
  for (std::size_t i = 0; i < digits; ++i) {
    const int column = problem.a[i] + problem.b[i] + carry;
    sum[i] = static_cast<std::uint8_t>(column % 10);
    carry = column / 10;
  }
  sum[digits] = static_cast<std::uint8_t>(carry);
  return sum;
}

Problem canonical(const Problem& problem) {
  const bool swapped = std::ranges::lexicographical_compare(problem.b | std::views::reverse,
                                                            problem.a | std::views::reverse);
  return swapped ? commuted(problem) : problem;
}

Problem commuted(const Problem& problem) {
  return {.digits = problem.digits, .a = problem.b, .b = problem.a};
}

Problem make_problem(std::uint64_t a, std::uint64_t b, int digits) {
  Problem problem{.digits = digits};
  write_number(a, digits, problem.a);
  write_number(b, digits, problem.b);
  return problem;
}

Problem parse_problem(std::string_view text, int digits) {
  const std::size_t plus = text.find('+');
  if (plus == std::string_view::npos) refuse(text, "has no plus", digits);
  Problem problem{.digits = digits};
  read_operand(trimmed(text.substr(0, plus)), text, digits, problem.a);
  read_operand(trimmed(text.substr(plus + 1)), text, digits, problem.b);
  return problem;
}

std::string problem_text(const Problem& problem) {
  const auto digits = to_size(problem.digits);
  return digits_text(std::span(problem.a).first(digits)) + "+" +
         digits_text(std::span(problem.b).first(digits));
}

std::string sum_text(const Problem& problem) {
  const SumDigits sum = sum_of(problem);
  return digits_text(std::span(sum).first(to_size(problem.digits) + 1));
}

std::size_t ProblemHash::operator()(const Problem& problem) const {
  auto state = static_cast<std::uint64_t>(problem.digits);
  for (const Digits* digits : {&problem.a, &problem.b}) {
    for (std::size_t at = 0; at < to_size(problem.digits); at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, digits->data() + at, sizeof word);
      state = mix_bits(state * 31 + word);
    }
  }
  return state;
}

}  // namespace heddle
