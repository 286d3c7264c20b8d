// See input_pairs.hpp.
#include "heddle/lens/patch/input_pairs.hpp"

#include <algorithm>

#include "heddle/lens/probe/column_file.hpp"
#include "heddle/task/file/text_lines.hpp"

namespace heddle {
namespace {

constexpr std::size_t kMostInputPairs = 100'000;

/// The first position at which the right answers differ.
Index first_difference(std::span<const std::int32_t> a, std::span<const std::int32_t> b) {
  return std::ranges::mismatch(a, b).in1 - a.begin();
}

/// A question of the file; what is wrong with it is wrong with its line.
ForcedSet ask(const RunTask& task, const std::string& text, const std::string& answer) {
  const bool known = !answer.empty() || task.knows_answer(text);
  check<UsageError>(known,
                    "the answer to {} is not known; the columns answer_a and answer_b tell it",
                    quote(text));
  return task.question(text, answer);
}

ExaminedPair examine(const RunTask& task, const InputPairs& pairs, const InputPair& pair) {
  const auto refuse = [](const std::string& why) { throw UsageError(why); };
  const ForcedSet a = ask(task, pair.a, pair.answer_a), b = ask(task, pair.b, pair.answer_b);
  const auto same_length = [&](const std::string& other, Index length) {
    if (length != a.used(Stream::source, 0))
      refuse(fmt::format("{} has {} tokens and {} has {}; inputs of a pair must be equally long",
                         quote(pair.a), a.used(Stream::source, 0), quote(other), length));
  };
  same_length(pair.b, b.used(Stream::source, 0));
  if (pairs.controls)
    same_length(pair.control, task.asked({pair.control}, {}).used(Stream::source, 0));
  const Index read = first_difference(a.wanted(0), b.wanted(0));
  if (read == a.positions() || read == b.positions())
    refuse(fmt::format("{} and {} have the same right answer, {}", quote(pair.a), quote(pair.b),
                       quote(task.answer_text(a.wanted(0)))));
  const auto at = static_cast<std::size_t>(read);
  ExaminedPair measured{.texts = pair,
                        .length = a.used(Stream::source, 0),
                        .read = read,
                        .token_a = a.wanted(0)[at],
                        .token_b = b.wanted(0)[at],
                        .source = {a.source_row(0).begin(), a.source_row(0).end()},
                        .target = {}};
  if (!a.labels()) measured.target.assign(a.target_row(0).begin(), a.target_row(0).end());
  measured.texts.answer_a = task.answer_text(a.wanted(0));
  return measured;
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

ExaminedPair examine_pair(const RunTask& task, const InputPairs& pairs, const InputPair& pair) {
  try {
    return examine(task, pairs, pair);
  } catch (const UsageError& error) {
    refuse_line(pairs.path, pair.line, "{}", error.what());
  }
}

}  // namespace heddle
