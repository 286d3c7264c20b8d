// A task whose examples are words: what trains, what is asked, and how its words are written.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/task/example_list.hpp"
#include "heddle/task/file/example_set.hpp"

namespace heddle {

/// Read-only once made: threads may share it, and resuming needs nothing but the step's number.
class ExampleTask {
 public:
  explicit ExampleTask(const Config& config)
      : shape_(shape_of(config.task)), batch_(config.train.batch), seed_(config.seed) {}
  virtual ~ExampleTask() = default;
  ExampleTask(const ExampleTask&) = delete;
  ExampleTask& operator=(const ExampleTask&) = delete;

  const TaskShape& shape() const { return shape_; }
  Index batch() const { return batch_; }

  /// The `train.batch` examples of step `step` (from 0), whatever was drawn before.
  virtual void train_examples(Index step, ExampleList& out) const = 0;
  /// Examples that train; 0 for a stream that never ends.
  virtual Index train_size() const = 0;
  const ExampleList& validation() const { return validation_; }
  const ExampleList& test() const { return test_; }

  /// A word as the user writes it.
  virtual std::string word(std::int32_t word) const { return std::to_string(word); }
  virtual std::string label(std::int32_t label) const { return std::to_string(label); }
  /// The same for any token of the shape: "PAD", "BOS", "EOS" or "CLS" for the control tokens.
  std::string token(std::int32_t token) const;
  /// Words as the user writes them; control tokens are left out, an EOS ends the text.
  std::string text(std::span<const std::int32_t> tokens) const;

  /// An input as the user types it; UsageError for unknown words and what is too long.
  std::vector<std::int32_t> parse(std::string_view text) const;
  /// An output as the user types it; for labels the label alone.
  std::vector<std::int32_t> parse_output(std::string_view text) const;
  /// The right output, where a rule tells it.
  virtual std::optional<std::vector<std::int32_t>> answer(
      std::span<const std::int32_t> input) const = 0;

  /// Hash of what trains (of a stream, its first step) and of what is asked.
  std::string data_hash() const;
  /// What the user should know about the data; one line each.
  virtual std::vector<std::string> notes() const { return {}; }
  /// Files that a run keeps beside its weights: name and content.
  virtual std::vector<std::pair<std::string, std::string>> files() const { return {}; }

 protected:
  /// How a text falls into words, and which word a text is; UsageError for an unknown one.
  virtual std::vector<std::string> cut(std::string_view text) const;
  virtual std::string_view between() const { return " "; }
  virtual std::int32_t find_word(const std::string& text) const;
  virtual std::int32_t find_label(const std::string& text) const;
  /// The step's places in the epochs of a fixed set, each epoch in an order of its own.
  void epoch_places(Index step, Index size, const std::function<void(Index place)>& use) const;
  std::uint64_t seed() const { return seed_; }

  ExampleList validation_, test_;

 private:
  TaskShape shape_;
  Index batch_;
  std::uint64_t seed_;
};

/// The configuration's task; UsageError where its data cannot exist, FileError for its file.
std::unique_ptr<ExampleTask> make_example_task(const Config& config,
                                               const ReadProgress& progress = {});

}  // namespace heddle
