// See run_task.hpp.
#include "heddle/lens/run_task.hpp"

#include <algorithm>

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/lens/sequence_answer.hpp"
#include "heddle/record/training_log.hpp"
#include "heddle/task/addition/addition.hpp"
#include "heddle/task/addition/tokens.hpp"
#include "heddle/task/file/file_task.hpp"
#include "heddle/task/sortedness/settings.hpp"
#include "heddle/task/sortedness/data.hpp"

namespace heddle {
namespace {

constexpr Index kLongestQuestion = 4096;

template <class Item>
std::span<const Item> some_of(std::span<const Item> items, Index first, Index most) {
  const auto from = std::min(items.size(), static_cast<std::size_t>(first));
  return items.subspan(from, std::min(items.size() - from, static_cast<std::size_t>(most)));
}

class AdditionRun : public RunTask {
 public:
  explicit AdditionRun(const Config& config) : config_(config), task_(config) {}

  ForcedSet test(Index first, Index most) const override {
    return {config_.task, some_of(task_.test_problems(), first, most)};
  }
  ForcedSet validation(Index first, Index most) const override {
    return {config_.task, some_of(task_.validation_problems(), first, most)};
  }
  ForcedSet question(std::string_view text, std::string_view answer) const override {
    return questions({std::string(text)}, {std::string(answer)});
  }
  Index validation_size() const override { return std::ssize(task_.validation_problems()); }
  bool knows_answer(std::string_view /*text*/) const override { return true; }
  ForcedSet questions(const std::vector<std::string>& texts,
                      const std::vector<std::string>& /*answers*/) const override {
    std::vector<Problem> problems;
    for (const std::string& text : texts)
      problems.push_back(parse_problem(text, static_cast<int>(config_.task.digits)));
    return {config_.task, problems};
  }
  ForcedSet asked(const std::vector<std::string>& texts,
                  const std::vector<std::vector<std::int32_t>>& /*said*/) const override {
    return questions(texts, {});
  }
  std::string token(std::int32_t token) const override { return std::string(token_text(token)); }
  std::string answer_text(std::span<const std::int32_t> said) const override {
    return task_.encoding().answer_text(said);
  }

 private:
  Config config_;
  Addition task_;
};

class SortednessRun : public RunTask {
 public:
  explicit SortednessRun(const Config& config)
      : config_(config), validation_(settings(config, 0)), test_(settings(config, 1)) {}

  ForcedSet test(Index first, Index most) const override {
    return {config_, some_of(test_.validation(), first, most)};
  }
  ForcedSet validation(Index first, Index most) const override {
    return {config_, some_of(validation_.validation(), first, most)};
  }
  ForcedSet question(std::string_view text, std::string_view answer) const override {
    return questions({std::string(text)}, {std::string(answer)});
  }
  Index validation_size() const override { return std::ssize(validation_.validation()); }
  bool knows_answer(std::string_view /*text*/) const override { return true; }
  ForcedSet questions(const std::vector<std::string>& texts,
                      const std::vector<std::string>& /*answers*/) const override {
    std::vector<LabelledSequence> rows;
    for (const std::string& text : texts) {
      Sequence values = parse_sequence(text, kLongestQuestion);
      const bool sorted = is_sorted(values);
      rows.push_back({.values = std::move(values), .sorted = sorted});
    }
    return {config_, rows};
  }
  ForcedSet asked(const std::vector<std::string>& texts,
                  const std::vector<std::vector<std::int32_t>>& /*said*/) const override {
    return questions(texts, {});
  }
  std::string token(std::int32_t token) const override { return sort_token_text(token); }
  std::string answer_text(std::span<const std::int32_t> said) const override {
    return said.front() == 1 ? "sorted" : "not sorted";
  }

 private:
  /// Another seed draws other sequences of the same kinds.
  static SortednessSettings settings(const Config& config, std::uint64_t set) {
    constexpr std::uint64_t kFar = 1'000'003;
    SortednessSettings settings = sortedness_settings(config, layout_of(config.model));
    settings.seed += set * kFar;
    return settings;
  }

  Config config_;
  SortednessData validation_, test_;
};

class ExamplesRun : public RunTask {
 public:
  ExamplesRun(Config config, std::unique_ptr<ExampleTask> task)
      : config_(std::move(config)), task_(std::move(task)) {}

  ForcedSet test(Index first, Index most) const override {
    return some(task_->test(), first, most);
  }
  ForcedSet validation(Index first, Index most) const override {
    return some(task_->validation(), first, most);
  }
  ForcedSet question(std::string_view text, std::string_view answer) const override {
    return questions({std::string(text)}, {std::string(answer)});
  }
  Index validation_size() const override { return task_->validation().size(); }
  bool knows_answer(std::string_view text) const override {
    return task_->answer(task_->parse(text)).has_value();
  }
  ForcedSet questions(const std::vector<std::string>& texts,
                      const std::vector<std::string>& answers) const override {
    ExampleList list;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::vector<std::int32_t> input = task_->parse(texts[i]);
      const bool told = i < answers.size() && !answers[i].empty();
      const auto known =
          told ? std::optional(task_->parse_output(answers[i])) : task_->answer(input);
      check<UsageError>(known.has_value(),
                        "the answer to {} is not known: the task's file does not hold it",
                        quote(texts[i]));
      list.add(input, *known);
    }
    return {config_, list, 0, list.size()};
  }
  ForcedSet asked(const std::vector<std::string>& texts,
                  const std::vector<std::vector<std::int32_t>>& said) const override {
    ExampleList list;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      std::vector<std::int32_t> output = i < said.size() ? said[i] : std::vector<std::int32_t>{};
      task_->shape().labels ? output.resize(1) : words_of(output);
      list.add(task_->parse(texts[i]), output);
    }
    return {config_, list, 0, list.size()};
  }
  std::string token(std::int32_t token) const override { return task_->token(token); }
  std::string answer_text(std::span<const std::int32_t> said) const override {
    return task_->shape().labels ? task_->label(said.front()) : task_->text(said);
  }

 private:
  /// An answer as the task could have asked for it: up to its EOS, words alone, not too many.
  void words_of(std::vector<std::int32_t>& said) const {
    const TaskShape& shape = task_->shape();
    said.erase(std::ranges::find(said, shape.eos()), said.end());
    std::erase_if(said, [&](std::int32_t token) { return token >= shape.pad(); });
    said.resize(std::min(said.size(), static_cast<std::size_t>(shape.longest_output)));
  }
  ForcedSet some(const ExampleList& list, Index first, Index most) const {
    check<UsageError>(first < list.size(), "this task holds out {} examples: too few to ask",
                      list.size());
    return {config_, list, first, std::min(most, list.size() - first)};
  }

  Config config_;
  std::unique_ptr<ExampleTask> task_;
};

/// The file must still hold what the run was trained on.
void check_data(const std::string& run, const Config& config, const ExampleTask& task) {
  const std::string path = run + "/training_log.json";
  if (config.task.name != TaskKind::file || !file_exists(path)) return;
  const std::string then = parse_training_log(read_file(path)).data_hash, now = task.data_hash();
  check<FileError>(then == now, "{} has changed since {} was trained (data hash {} against {})",
                   quote_path(config.task.path), quote_path(run), now, then);
}

}  // namespace

std::unique_ptr<RunTask> open_task(const std::string& run, const Config& config, bool words_only,
                                   const ReadProgress& progress) {
  if (config.task.name == TaskKind::addition) return std::make_unique<AdditionRun>(config);
  if (config.task.name == TaskKind::sortedness) return std::make_unique<SortednessRun>(config);
  if (words_only && config.task.name == TaskKind::file && !file_exists(config.task.path))
    return std::make_unique<ExamplesRun>(
        config, std::make_unique<FileTask>(config, read_file(run + "/" + kLexiconFile)));
  auto task = make_example_task(config, progress);
  check_data(run, config, *task);
  return std::make_unique<ExamplesRun>(config, std::move(task));
}

}  // namespace heddle
