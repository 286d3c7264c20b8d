// See example_builder.hpp.
#include "heddle/task/file/example_builder.hpp"

#include <algorithm>
#include <utility>

#include "heddle/base/index.hpp"
#include "heddle/task/file/example_limits.hpp"
#include "heddle/task/file/held_out.hpp"

namespace heddle {
namespace {

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

/// Without white space at the ends, runs of it inside as one space.
void single_spaced(std::string_view text, std::string& out) {
  out.clear();
  for_each_word(text, [&](std::string_view word) {
    if (!out.empty()) out += ' ';
    out += word;
  });
}

}  // namespace

ExampleBuilder::ExampleBuilder(std::string path, ExampleOptions options)
    : path_(std::move(path)), options_(std::move(options)) {
  check_shares(options_);
  set_.token_kind = options_.tokens;
  set_.starts.push_back(0);
}

void ExampleBuilder::add(const ExampleRecord& record) {
  line_ = record.line;
  if (to_size(line_) > ExampleLimits::kLines)
    refuse("at most {} lines are accepted", format_count(ExampleLimits::kLines));
  set_.form = record.form;
  set_.own_splits = record.has_split;
  add_sequence(record.input, "input");
  set_.input_lengths.push_back(
      static_cast<std::uint16_t>(set_.token_ids.size() - set_.starts.back()));
  if (record.form == ExampleForm::pairs)
    add_sequence(record.output, "output");
  else
    add_label(record.label);
  set_.starts.push_back(set_.token_ids.size());
  Split split = Split::train;
  if (record.has_split) {
    const auto names = names_of(Split{});
    const auto* name = std::ranges::find(names, trimmed(record.split));
    if (name == names.end())
      refuse("unknown split {}; accepted are train, validation, test", quote(record.split, kShown));
    split = static_cast<Split>(name - names.begin());
  }
  set_.splits.push_back(split);
  set_.lines.push_back(static_cast<std::uint32_t>(line_));
}

void ExampleBuilder::add_sequence(const RecordSequence& sequence, std::string_view name) {
  const std::size_t start = set_.token_ids.size();
  const auto take = [&](std::string_view token) { add_token(token, name, start); };
  if (sequence.listed) {
    std::size_t from = 0;
    for (const std::size_t end : sequence.ends) {
      take(sequence.text.substr(from, end - from));
      from = end;
    }
  } else {
    for_each_token(sequence.text, options_.tokens, take);
  }
  if (set_.token_ids.size() == start) refuse("empty {}", name);
}

void ExampleBuilder::add_token(std::string_view token, std::string_view name, std::size_t start) {
  if (set_.token_ids.size() - start == ExampleLimits::kLength)
    refuse("the {} has more than {} tokens", name, format_count(ExampleLimits::kLength));
  const std::int32_t known = set_.tokens.size();
  const std::int32_t id = set_.tokens.add(token);
  if (id == known) check_new_token(token);
  set_.token_ids.push_back(id);
}

/// What was checked once need not be checked a million times.
void ExampleBuilder::check_new_token(std::string_view token) const {
  if (token.empty()) refuse("an empty token");
  if (token.size() > ExampleLimits::kTokenBytes)
    refuse("the token {} has {} bytes; at most {} are accepted", quote(token, kShown),
           format_count(std::ssize(token)), ExampleLimits::kTokenBytes);
  // The characters of a text may be spaces; the words of a list may not, as nobody could type them.
  const bool one_space = token == " " && options_.tokens == TokenKind::characters;
  if (!one_space && std::ranges::any_of(token, is_space))
    refuse("white space in the token {}", quote(token, kShown));
  if (std::ranges::any_of(token, is_control))
    refuse("a control character in the token {}", quote(token, kShown));
  if (to_size(set_.tokens.size()) > ExampleLimits::kTokens)
    refuse("the token {} is one too many: at most {} different ones are accepted",
           quote(token, kShown), format_count(ExampleLimits::kTokens));
}

void ExampleBuilder::add_label(std::string_view text) {
  single_spaced(text, label_);
  if (label_.empty()) refuse("empty label");
  const std::int32_t known = set_.labels.size();
  const std::int32_t id = set_.labels.add(label_);
  if (id == known) {
    if (label_.size() > ExampleLimits::kTokenBytes)
      refuse("the label {} has {} bytes; at most {} are accepted", quote(label_, kShown),
             format_count(std::ssize(label_)), ExampleLimits::kTokenBytes);
    if (std::ranges::any_of(label_, is_control))
      refuse("a control character in the label {}", quote(label_, kShown));
    if (to_size(set_.labels.size()) > ExampleLimits::kLabels)
      refuse("the label {} is one too many: at most {} different ones are accepted",
             quote(label_, kShown), format_count(ExampleLimits::kLabels));
  }
  set_.label_ids.push_back(id);
}

std::uint64_t ExampleBuilder::bytes() const {
  constexpr std::uint64_t kGrouped = 24;  // of an example, while groups of equal inputs are found
  const std::uint64_t each = sizeof(set_.starts[0]) + sizeof(set_.input_lengths[0]) +
                             sizeof(set_.splits[0]) + sizeof(set_.lines[0]) + kGrouped;
  return set_.token_ids.size() * sizeof(set_.token_ids[0]) + to_size(set_.size()) * each;
}

void ExampleBuilder::sort_lexicons() {
  const std::vector<std::int32_t> new_token = set_.tokens.sort();
  for (std::int32_t& id : set_.token_ids) id = new_token[to_size(id)];
  const std::vector<std::int32_t> new_label = set_.labels.sort();
  for (std::int32_t& id : set_.label_ids) id = new_label[to_size(id)];
}

ExampleSet ExampleBuilder::finish() {
  check<FileError>(set_.size() > 0, "{} has no example", quote_path(path_));
  check<FileError>(set_.form == ExampleForm::pairs || set_.labels.size() > 1,
                   "{}: every example has the label {}; at least two labels are needed",
                   quote_path(path_), quote(set_.labels.empty() ? "" : set_.labels.text(0)));
  sort_lexicons();
  if (set_.own_splits)
    check_own_splits(set_, path_);
  else
    choose_held_out(set_, options_);
  for (Index i = 0; i < set_.size(); ++i)
    set_.members[to_size(set_.split(i))].push_back(static_cast<std::int32_t>(i));
  return std::move(set_);
}

}  // namespace heddle
