// See sequence.hpp.
#include "heddle/task/sortedness/sequence.hpp"

#include <algorithm>

#include <fmt/core.h>
#include <fmt/format.h>

#include "heddle/base/check.hpp"
#include "heddle/base/text.hpp"

namespace heddle {

namespace {

double share(Index part, Index whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

[[noreturn]] void refuse(std::string_view text, const std::string& why, Index longest) {
  throw UsageError(
      fmt::format("{} {}: accepted are 1 to {} whole numbers from 0 to {}, such as "
                  "3 5 5 9",
                  quote(text), why, format_count(longest), kValueCount - 1));
}

/// The words between spaces and commas.
std::vector<std::string> words_of(std::string_view text) {
  std::string even(text);
  std::ranges::replace_if(even, [](char c) { return c == ',' || c == '\t' || c == '\n'; }, ' ');
  std::vector<std::string> words = split(even, ' ');
  std::erase(words, "");
  return words;
}

}  // namespace

bool is_sorted(Values values) {
  return std::ranges::is_sorted(values);
}

Steps steps_of(Values values) {
  Steps steps;
  for (std::size_t i = 1; i < values.size(); ++i) {
    const std::int32_t rise = values[i] - values[i - 1];
    ++(rise < 0 ? steps.descents : rise == 0 ? steps.ties : rise == 1 ? steps.gap1 : steps.wider);
  }
  return steps;
}

void SequenceMakeup::add(Values values) {
  const auto length = std::ssize(values);
  shortest = count() == 0 ? length : std::min(shortest, length);
  longest = std::max(longest, length);
  const Steps steps = steps_of(values);
  if (steps.descents > 0) {
    ++negatives;
    descents += steps.descents;
    return;
  }
  ++positives;
  ties += steps.ties;
  gap1 += steps.gap1;
  wider += steps.wider;
}

double SequenceMakeup::tie_share() const {
  return share(ties, ties + gap1 + wider);
}

double SequenceMakeup::gap1_share() const {
  return share(gap1, gap1 + wider);
}

double SequenceMakeup::mean_descents() const {
  return share(descents, negatives);
}

Sequence parse_sequence(std::string_view text, Index longest) {
  const std::vector<std::string> words = words_of(text);
  if (words.empty()) refuse(text, "has no number", longest);
  Sequence values;
  for (const std::string& word : words) {
    const auto value = parse_int(word);
    if (!value) refuse(text, fmt::format("has {} for a number", quote(word)), longest);
    if (*value < 0 || *value >= kValueCount)
      refuse(text, fmt::format("has the number {}", *value), longest);
    values.push_back(static_cast<std::int32_t>(*value));
  }
  if (std::ssize(values) > longest)
    refuse(text, fmt::format("has {} numbers", format_count(std::ssize(values))), longest);
  return values;
}

std::string sequence_text(Values values) {
  return fmt::format("{}", fmt::join(values, " "));
}

}  // namespace heddle
