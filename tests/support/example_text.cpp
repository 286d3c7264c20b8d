// See example_text.hpp. Everything is worked out the slow and plain way.
#include "tests/support/example_text.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "heddle/base/index.hpp"
#include "heddle/task/file/example_report.hpp"

namespace heddle {
namespace {

using Ids = std::vector<std::int32_t>;

Ids ids_of(std::span<const std::int32_t> ids) {
  return {ids.begin(), ids.end()};
}

/// The answer of an example: its output, or its label alone.
Ids answer_of(const ExampleSet& set, Index i) {
  return set.form == ExampleForm::pairs ? ids_of(set.output(i)) : Ids{set.label(i)};
}

std::string csv_cell(std::string_view text) {
  if (text.find_first_of("\",\n") == std::string_view::npos) return std::string(text);
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + "\"";
}

std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string json_list(const ExampleSet& set, std::span<const std::int32_t> ids) {
  std::string out;
  for (const std::int32_t id : ids)
    out += (out.empty() ? "" : ", ") + json_text(set.tokens.text(id));
  return fmt::format("[{}]", out);
}

std::string split_name(const ExampleSet& set, Index i) {
  return std::string(names_of(Split{})[to_size(set.split(i))]);
}

bool sorted_without_doubles(const Lexicon& lexicon) {
  for (std::int32_t id = 1; id < lexicon.size(); ++id)
    if (!comes_before(lexicon.text(id - 1), lexicon.text(id)) ||
        comes_before(lexicon.text(id), lexicon.text(id - 1)))
      return false;
  for (std::int32_t id = 0; id < lexicon.size(); ++id)
    if (lexicon.find(lexicon.text(id)) != id || lexicon.text(id).empty()) return false;
  return true;
}

/// Tokens and labels of training are all that there are, and every id is in range.
std::string broken_ids(const ExampleSet& set) {
  std::set<std::int32_t> tokens;
  std::set<std::int32_t> labels;
  for (Index i = 0; i < set.size(); ++i) {
    if (set.input(i).empty()) return "an empty input";
    if (set.output(i).empty() == (set.form == ExampleForm::pairs))
      return "an output too many or few";
    Ids all = ids_of(set.input(i));
    all.insert(all.end(), set.output(i).begin(), set.output(i).end());
    for (const std::int32_t id : all)
      if (id < 0 || id >= set.tokens.size()) return "a token beyond the lexicon";
    if (set.split(i) != Split::train) continue;
    tokens.insert(all.begin(), all.end());
    if (set.form == ExampleForm::labels) labels.insert(set.label(i));
  }
  if (tokens.size() != to_size(set.tokens.size())) return "a token not trained";
  if (labels.size() != to_size(set.labels.size())) return "a label not trained";
  if (!labels.empty() && (*labels.begin() != 0 || *labels.rbegin() != set.labels.size() - 1))
    return "a label beyond the lexicon";
  return "";
}

std::string broken_splits(const ExampleSet& set, const ExampleOptions& options) {
  std::map<Ids, Split> split_of;
  std::array<Ids, kSplits> members;
  for (Index i = 0; i < set.size(); ++i) {
    members[to_size(set.split(i))].push_back(static_cast<std::int32_t>(i));
    const auto [there, is_new] = split_of.emplace(ids_of(set.input(i)), set.split(i));
    if (!set.own_splits && there->second != set.split(i)) return "equal inputs in two splits";
  }
  if (members != set.members) return "the lists of examples";
  if (set.own_splits) return "";
  for (const std::size_t split : {1U, 2U})
    if (static_cast<Index>(members[split].size()) > options.most_held_out)
      return "too many held out";
  return "";
}

/// Compares the report with counts over all pairs of examples.
std::string broken_report(const ExampleSet& set) {
  const ExampleReport report = report_of(set);
  Index duplicates = 0;
  std::map<Ids, std::set<Ids>> answers;
  std::map<Ids, std::set<Split>> splits;
  for (Index i = 0; i < set.size(); ++i) {
    const Ids input = ids_of(set.input(i));
    if (!answers[input].insert(answer_of(set, i)).second) ++duplicates;
    splits[input].insert(set.split(i));
  }
  const auto several = [](const auto& item) { return item.second.size() > 1; };
  if (report.duplicates.count != duplicates) return "duplicates";
  if (report.inputs != std::ssize(answers)) return "different inputs";
  if (report.contradictions.count != std::ranges::count_if(answers, several))
    return "contradictions";
  if (report.leaks.count != std::ranges::count_if(splits, several)) return "leaks";
  if (!set.own_splits && report.leaks.count > 0) return "leaks of a split by hash";
  Index labelled = 0;
  for (const auto& counts : report.label_counts) labelled += counts[0] + counts[1] + counts[2];
  if (labelled != (set.form == ExampleForm::labels ? set.size() : 0)) return "label counts";
  for (const std::string& line : report_lines(report))
    if (line.find('\n') != std::string::npos) return "a line of the report that is two";
  return "";
}

}  // namespace

ByteSource text_source(std::string_view text, std::uint64_t block) {
  ByteSource source;
  source.path.assign(1, 'f');  // GCC 12 warns at a literal here, wrongly
  source.size = text.size();
  source.block = block;
  source.read = [text](std::span<std::byte> bytes) mutable {
    std::memcpy(bytes.data(), text.data(), bytes.size());
    text.remove_prefix(bytes.size());
  };
  return source;
}

std::string to_csv(const ExampleSet& set) {
  const bool pairs = set.form == ExampleForm::pairs;
  std::string text = pairs ? "input,output" : "input,label";
  text += set.own_splits ? ",split\n" : "\n";
  const auto cell = [&](std::span<const std::int32_t> ids) {
    return csv_cell(decode_text(ids, set.token_kind, set.tokens));
  };
  for (Index i = 0; i < set.size(); ++i) {
    text += cell(set.input(i)) + ",";
    text += pairs ? cell(set.output(i)) : csv_cell(set.labels.text(set.label(i)));
    text += set.own_splits ? fmt::format(",{}\n", split_name(set, i)) : "\n";
  }
  return text;
}

bool csv_can_hold(const ExampleSet& set) {
  if (set.token_kind == TokenKind::words) return true;
  for (const std::string& token : set.tokens.texts())
    if (token.size() != utf8_bytes(token[0])) return false;
  const auto framed_by_space = [&](std::span<const std::int32_t> ids) {
    return !ids.empty() &&
           (set.tokens.text(ids.front()) == " " || set.tokens.text(ids.back()) == " ");
  };
  for (Index i = 0; i < set.size(); ++i)
    if (framed_by_space(set.input(i)) || framed_by_space(set.output(i))) return false;
  return true;
}

std::string to_jsonl(const ExampleSet& set) {
  std::string text;
  for (Index i = 0; i < set.size(); ++i) {
    text += fmt::format("{{\"input\": {}", json_list(set, set.input(i)));
    if (set.form == ExampleForm::pairs)
      text += fmt::format(", \"output\": {}", json_list(set, set.output(i)));
    else
      text += fmt::format(", \"label\": {}", json_text(set.labels.text(set.label(i))));
    if (set.own_splits) text += fmt::format(", \"split\": \"{}\"", split_name(set, i));
    text += "}\n";
  }
  return text;
}

bool same_examples(const ExampleSet& a, const ExampleSet& b) {
  return a.form == b.form && a.token_kind == b.token_kind && a.tokens == b.tokens &&
         a.labels == b.labels && a.own_splits == b.own_splits &&
         a.moved_to_training == b.moved_to_training && a.token_ids == b.token_ids &&
         a.starts == b.starts && a.input_lengths == b.input_lengths && a.label_ids == b.label_ids &&
         a.splits == b.splits && a.members == b.members && content_hash(a) == content_hash(b);
}

std::string broken_promise(const ExampleSet& set, const ExampleOptions& options) {
  if (!sorted_without_doubles(set.tokens) || !sorted_without_doubles(set.labels))
    return "the order of a lexicon";
  for (Index i = 1; i < set.size(); ++i)
    if (set.line(i) <= set.line(i - 1)) return "line numbers";
  if (std::string broken = broken_ids(set); !broken.empty()) return broken;
  if (std::string broken = broken_splits(set, options); !broken.empty()) return broken;
  return broken_report(set);
}

}  // namespace heddle
