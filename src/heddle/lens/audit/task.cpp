// The examples of a run for its audit: of addition, of sortedness, of any task of words.
#include <algorithm>

#include "heddle/base/text.hpp"
#include "heddle/lens/audit/parts.hpp"
#include "heddle/lens/sequence_answer.hpp"
#include "heddle/task/addition/addition.hpp"
#include "heddle/task/example_task.hpp"
#include "heddle/task/sortedness/settings.hpp"
#include "heddle/task/sortedness/data.hpp"

namespace heddle {
namespace {

constexpr Index kMostDrawn = 1'000'000;  // of a stream: samples that are drawn again

/// Steps of a stream that are drawn again.
Index steps_drawn(const Config& config) {
  return std::min<Index>(config.train.steps,
                         std::max<Index>(kMostDrawn / config.train.batch, Index{1}));
}

class AdditionAudit : public AuditTask {
 public:
  explicit AdditionAudit(const Config& config) : config_(config), task_(config) {
    hash = task_.data_hash();
    add(task_.validation_problems(), validation);
    add(task_.test_problems(), test);
    add(task_.train_set(), train);
    if (config.task.source == DataSource::fixed) return;
    drawn = config.train.steps * config.train.batch;
    std::vector<Problem> problems;
    for (Index step = 0; step < steps_drawn(config); ++step) {
      task_.train_problems(step, problems);
      add(problems, train);
    }
  }

  ForcedSet asked(Index most) const override {
    const auto all = task_.test_problems();
    return {config_.task, all.first(std::min(all.size(), static_cast<std::size_t>(most)))};
  }
  std::string token(std::int32_t token) const override { return std::string(token_text(token)); }
  std::string input_text(std::span<const std::int32_t> input) const override {
    return tokens_text(input);
  }
  std::string answer_text(std::span<const std::int32_t> said) const override {
    return task_.encoding().answer_text(said);
  }

 private:
  /// As the encoder reads them, with the digits of the sum, most significant first.
  void add(std::span<const Problem> problems, ExampleList& list) const {
    Batch batch;
    task_.encoding().encode(problems, batch);
    const auto digits = static_cast<std::size_t>(task_.digits()) + 1;
    std::vector<std::int32_t> sum(digits);
    for (Index i = 0; i < batch.size; ++i) {
      const SumDigits units_first = sum_of(problems[static_cast<std::size_t>(i)]);
      std::reverse_copy(units_first.begin(), units_first.begin() + std::ssize(sum), sum.begin());
      list.add(batch.source_row(i), sum);
    }
  }

  Config config_;
  Addition task_;
};

class SortednessAudit : public AuditTask {
 public:
  explicit SortednessAudit(const Config& config)
      : config_(config), task_(settings(config, 0)), other_(settings(config, 1)) {
    half_sorted = meets_by_chance = true;
    hash = task_.data_hash();
    add(task_.validation(), validation);
    add(other_.validation(), test);
    add(task_.train(), train);
    if (config.task.source == DataSource::fixed) return;
    drawn = config.train.steps * config.train.batch;
    LabelledBatch batch;
    const RowLayout& layout = task_.layout();
    for (Index step = 0; step < steps_drawn(config); ++step) {
      task_.train_batch(step, batch);
      const auto values = static_cast<std::size_t>(batch.length - layout.length(0));
      for (Index row = 0; row < batch.size; ++row) {
        const auto label = static_cast<std::size_t>(row);
        train.add(batch.row(row).subspan(static_cast<std::size_t>(layout.front()), values),
                  std::span(batch.labels).subspan(label, 1));
      }
    }
  }

  ForcedSet asked(Index most) const override {
    const auto all = other_.validation();
    return {config_, all.first(std::min(all.size(), static_cast<std::size_t>(most)))};
  }
  std::string token(std::int32_t token) const override { return sort_token_text(token); }
  std::string input_text(std::span<const std::int32_t> input) const override {
    return sequence_text(input);
  }
  std::string answer_text(std::span<const std::int32_t> said) const override {
    return said.front() == 1 ? "sorted" : "not sorted";
  }

 private:
  /// Another seed draws other sequences of the same kinds: the questions of the other lenses.
  static SortednessSettings settings(const Config& config, std::uint64_t set) {
    constexpr std::uint64_t kFar = 1'000'003;
    SortednessSettings settings = sortedness_settings(config, layout_of(config.model));
    settings.seed += set * kFar;
    return settings;
  }
  static void add(std::span<const LabelledSequence> sequences, ExampleList& list) {
    for (const LabelledSequence& each : sequences) {
      const std::int32_t label = each.sorted ? 1 : 0;
      list.add(each.values, std::span(&label, 1));
    }
  }

  Config config_;
  SortednessData task_, other_;
};

class WordsAudit : public AuditTask {
 public:
  WordsAudit(const Config& config, std::unique_ptr<ExampleTask> task)
      : config_(config), task_(std::move(task)) {
    hash = task_->data_hash();
    add(task_->validation(), validation);
    add(task_->test(), test);
    const Index size = task_->train_size();
    if (size == 0) drawn = config.train.steps * config.train.batch;
    const Index wanted = size > 0 ? size : steps_drawn(config) * config.train.batch;
    ExampleList step_list;
    for (Index step = 0; train.size() < wanted; ++step) {  // the first epoch holds each once
      task_->train_examples(step, step_list);
      for (Index i = 0; i < step_list.size() && train.size() < wanted; ++i)
        train.add(step_list[i].input, step_list[i].output);
    }
  }

  ForcedSet asked(Index most) const override {
    return {config_, task_->test(), 0, std::min(most, task_->test().size())};
  }
  std::string token(std::int32_t token) const override { return task_->token(token); }
  std::string input_text(std::span<const std::int32_t> input) const override {
    return task_->text(input);
  }
  std::string answer_text(std::span<const std::int32_t> said) const override {
    return task_->shape().labels ? task_->label(said.front()) : task_->text(said);
  }

 private:
  static void add(const ExampleList& from, ExampleList& to) {
    for (Index i = 0; i < from.size(); ++i) to.add(from[i].input, from[i].output);
  }

  Config config_;
  std::unique_ptr<ExampleTask> task_;
};

}  // namespace

std::unique_ptr<AuditTask> open_audit_task(const Config& config, const ReadProgress& reading) {
  if (config.task.name == TaskKind::addition) return std::make_unique<AdditionAudit>(config);
  if (config.task.name == TaskKind::sortedness) return std::make_unique<SortednessAudit>(config);
  return std::make_unique<WordsAudit>(config, make_example_task(config, reading));
}

}  // namespace heddle
