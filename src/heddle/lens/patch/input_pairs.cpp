// See input_pairs.hpp.
#include "heddle/lens/patch/input_pairs.hpp"

#include <algorithm>

#include "heddle/base/text.hpp"
#include "heddle/lens/probe/column_file.hpp"
#include "heddle/task/file/text_lines.hpp"

namespace heddle {
namespace {

constexpr std::size_t kMostInputPairs = 100'000;

/// A question of the file; what is wrong with it is wrong with its line.
Questions ask(const Task& task, const std::string& text, const std::string& answer) {
  const bool known = !answer.empty() || knows_answer(task, text);
  check<UsageError>(known,
                    "the answer to {} is not known; the columns answer_a and answer_b tell it",
                    quote(text));
  return typed_questions(task, {text}, {answer});
}

std::vector<std::int32_t> words_of(std::span<const std::int32_t> words) {
  return {words.begin(), words.end()};
}

void check_lengths(const Member& member, const Task& task, const InputPair& pair, Index length) {
  const auto same = [&](const std::string& other) {
    const Index there = encoded(member, asked_questions(task, {other})).used(Stream::source, 0);
    check<UsageError>(there == length,
                      "{} has {} tokens and {} has {}; inputs of a pair must be equally long",
                      quote(pair.a), length, quote(other), there);
  };
  same(pair.b);
  if (!pair.control.empty()) same(pair.control);
}

ExaminedPair examine(const Member& member, const Task& task, const InputPair& pair) {
  const Questions a = ask(task, pair.a, pair.answer_a), b = ask(task, pair.b, pair.answer_b);
  ExaminedPair found{.a = words_of(a[0].input),
                     .b = words_of(b[0].input),
                     .control = {},
                     .answer_a = words_of(a[0].output),
                     .rows = encoded(member, a),
                     .length = 0,
                     .contrast = {}};
  if (!pair.control.empty()) found.control = task.parse(pair.control);
  found.length = found.rows.used(Stream::source, 0);
  check_lengths(member, task, pair, found.length);
  const EncodedQuestions other = encoded(member, b);
  const auto [at_a, at_b] = std::ranges::mismatch(found.rows.wanted, other.wanted);
  check<UsageError>(at_a != found.rows.wanted.end() && at_b != other.wanted.end(),
                    "{} and {} have the same right answer, {}", quote(pair.a), quote(pair.b),
                    quote(right_text(task, a[0])));
  found.contrast = {.position = at_a - found.rows.wanted.begin(), .own = *at_a, .other = *at_b};
  return found;
}

}  // namespace

InputPairs read_pairs(const std::string& path) {
  const ColumnFile file =
      read_columns(path, {.needed = {"a", "b"}, .allowed = {"answer_a", "answer_b", "control"}});
  InputPairs pairs{.path = path, .pairs = {}, .controls = file.has("control")};
  for (const ColumnFile::Row& row : file.rows) {
    pairs.pairs.push_back({.line = row.line,
                           .a = row.cells[0],
                           .b = row.cells[1],
                           .answer_a = row.cells[2],
                           .answer_b = row.cells[3],
                           .control = row.cells[4]});
    if (pairs.controls && row.cells[4].empty())
      refuse_line(path, row.line, "the cell of column 'control' is empty");
  }
  check<FileError>(pairs.pairs.size() >= 2 && pairs.pairs.size() <= kMostInputPairs,
                   "{} has {} pairs; accepted is 2 to {}", quote_path(path),
                   format_count(std::ssize(pairs.pairs)), format_count(kMostInputPairs));
  return pairs;
}

ExaminedPair examine_pair(const Member& member, const Task& task, const InputPairs& pairs,
                          const InputPair& pair) {
  try {
    return examine(member, task, pair);
  } catch (const UsageError& error) {
    refuse_line(pairs.path, pair.line, "{}", error.what());
  }
}

}  // namespace heddle
