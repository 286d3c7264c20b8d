// See file_task.hpp.
#include "heddle/task/file/file_task.hpp"

#include <algorithm>

#include "heddle/base/checked_json.hpp"
#include "heddle/base/index.hpp"
#include "heddle/base/rng.hpp"
#include "heddle/base/text.hpp"
#include "heddle/task/file/example_report.hpp"

namespace heddle {
namespace {

constexpr const char *kExampleInput = "some words", *kExamplePair = "some words,other words";

ExampleSet read(const Config& config, const ReadProgress& progress) {
  return read_examples(config.task.path,
                       {.tokens = config.task.tokens,
                        .columns = config.task.columns,
                        .seed = config.seed,
                        .validation_share = config.task.held_out,
                        .test_share = config.task.held_out},
                       progress);
}

/// What the configuration says about a file, taken from the file.
TaskConfig described(TaskConfig task, const ExampleSet& set) {
  task.form = set.form == ExampleForm::labels ? FormKind::labels : FormKind::pairs;
  task.vocabulary = set.tokens.size();
  task.classes = set.labels.size();
  task.longest_input = task.longest_output = 0;
  for (Index i = 0; i < set.size(); ++i) {
    task.longest_input = std::max<std::int64_t>(task.longest_input, std::ssize(set.input(i)));
    task.longest_output = std::max<std::int64_t>(task.longest_output, std::ssize(set.output(i)));
  }
  return task;
}

Json parse_lexicon(const std::string& text, const std::string& path) {
  return parse_checked_json(text, path, "; where the task's own file is, it is not needed");
}

Lexicon lexicon_of(const Json& list) {
  const auto texts = list.get<std::vector<std::string>>();
  return Lexicon(texts);
}

}  // namespace

TaskShape file_shape(const TaskConfig& task) {
  return {.labels = task.form == FormKind::labels,
          .words = task.vocabulary,
          .classes = task.classes,
          .longest_input = task.longest_input,
          .longest_output = task.longest_output};
}

void read_shape(Config& config, const ReadProgress& progress) {
  config.task = described(config.task, read(config, progress));
}

std::string path_in_lexicon(const std::string& lexicon_json, const std::string& file) {
  const Json json = parse_lexicon(lexicon_json, file);
  const Json* path = json.lookup("path");
  return path != nullptr && path->is_string() ? path->get<std::string>() : "";
}

FileTask::FileTask(const Config& config, const ReadProgress& progress)
    : Task(config), set_(read(config, progress)), path_(config.task.path) {
  const TaskConfig found = described(config.task, set_);
  const auto same = [&](std::string_view what, std::int64_t ours, std::int64_t theirs) {
    check<FileError>(ours == theirs,
                     "{} has {} {}, and the run was made with {}: it is not the "
                     "same file",
                     quote_path(config.task.path), theirs, what, ours);
  };
  check<FileError>(found.form == config.task.form, "{} has {}, and the run was made with {}",
                   quote_path(config.task.path), field_text(found.form),
                   field_text(config.task.form));
  same("different tokens", config.task.vocabulary, found.vocabulary);
  same("different labels", config.task.classes, found.classes);
  same("tokens in its longest input", config.task.longest_input, found.longest_input);
  same("tokens in its longest output", config.task.longest_output, found.longest_output);
  add_all(Split::validation, validation_);
  add_all(Split::test, test_);
  traits_.example_input = kExampleInput;
  traits_.example_pair = kExamplePair;
}

/// In an order of their own: many files are sorted, and a part of a set should be like the whole.
void FileTask::add_all(Split split, Questions& out) const {
  const auto all = set_.examples_in(split);
  if (all.empty()) return;
  const Permutation order(Rng(seed(), "data.held_out", static_cast<std::uint64_t>(split)),
                          all.size());
  for (std::size_t i = 0; i < all.size(); ++i) add(all[order(i)], out);
}

FileTask::FileTask(const Config& config, const std::string& lexicon_json) : Task(config) {
  traits_.example_input = kExampleInput;
  traits_.example_pair = kExamplePair;
  set_.form = config.task.form == FormKind::labels ? ExampleForm::labels : ExampleForm::pairs;
  set_.token_kind = config.task.tokens;
  try {
    const Json json = parse_lexicon(lexicon_json, kLexiconFile);
    set_.tokens = lexicon_of(json.at("tokens"));
    set_.labels = lexicon_of(json.at("labels"));
  } catch (const Json::exception&) {
    throw FileError(fmt::format("{} holds no lists of tokens and labels", kLexiconFile));
  }
  check<FileError>(
      set_.tokens.size() == config.task.vocabulary && set_.labels.size() == config.task.classes,
      "{} has {} tokens and {} labels, and the settings say {} and {}", kLexiconFile,
      set_.tokens.size(), set_.labels.size(), config.task.vocabulary, config.task.classes);
}

void FileTask::add(Index example, Questions& out) const {
  if (shape().labels) {
    const std::int32_t label = set_.label(example);
    out.add(set_.input(example), std::span(&label, 1));
  } else {
    out.add(set_.input(example), set_.output(example));
  }
}

void FileTask::train_questions(Index step, Questions& out) const {
  out.clear();
  const auto train = set_.examples_in(Split::train);
  epoch_places(step, std::ssize(train),
               [&](Index, Index place) { add(train[to_size(place)], out); });
}

Index FileTask::train_size() const {
  return std::ssize(set_.examples_in(Split::train));
}

std::string FileTask::word(std::int32_t word) const {
  return std::string(set_.tokens.text(word));
}

std::string FileTask::label(std::int32_t label) const {
  return std::string(set_.labels.text(label));
}

/// A file knows what it holds and no more: the first example with this input.
std::optional<std::vector<std::int32_t>> FileTask::right_answer(
    std::span<const std::int32_t> input) const {
  for (Index i = 0; i < set_.size(); ++i) {
    if (!std::ranges::equal(set_.input(i), input)) continue;
    if (shape().labels) return std::vector{set_.label(i)};
    return std::vector(set_.output(i).begin(), set_.output(i).end());
  }
  return std::nullopt;
}

std::vector<std::string> FileTask::notes() const {
  std::vector<std::string> lines = report_lines(report_of(set_));
  if (!set_.reading.empty()) lines.insert(lines.begin(), set_.reading);
  return lines;
}

std::vector<std::pair<std::string, std::string>> FileTask::files() const {
  const Json json{
      {"path", path_}, {"tokens", set_.tokens.texts()}, {"labels", set_.labels.texts()}};
  return {{kLexiconFile, checked_json(json, 1)}};
}

std::vector<std::string> FileTask::cut(std::string_view text) const {
  std::vector<std::string> tokens;
  for_each_token(text, set_.token_kind,
                 [&](std::string_view token) { tokens.emplace_back(token); });
  return tokens;
}

std::int32_t FileTask::find_word(const std::string& text) const {
  const auto found = set_.tokens.find(text);
  check<UsageError>(found.has_value(), "{} is no token of this task: its file has {} others",
                    quote(text), set_.tokens.size());
  return *found;
}

std::int32_t FileTask::find_label(const std::string& text) const {
  const auto found = set_.labels.find(text);
  check<UsageError>(found.has_value(), "{} is no label of this task: accepted is {}", quote(text),
                    join(set_.labels.texts(), ", "));
  return *found;
}

}  // namespace heddle
