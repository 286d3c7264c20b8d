// The sortedness task: is this sequence of small numbers sorted?
#pragma once

#include "heddle/task/sortedness/data.hpp"
#include "heddle/task/task.hpp"

namespace heddle {

/// Words are the values 0 … 99; label 1 is "sorted", 0 "not sorted". Validation is drawn as a fixed
/// set is; test is the validation of another seed. Exams by length and kind of negative are named
/// "adjacent at 256", "dip5 at 64, windowed".
class Sortedness : public Task {
 public:
  /// UsageError where such data cannot exist.
  explicit Sortedness(const Config& config);

  void train_questions(Index step, Questions& out) const override {
    data_.train_questions(step, out);
  }
  Index train_size() const override { return std::ssize(data_.train()); }
  std::vector<std::string> exam_names() const override;
  std::unique_ptr<Exam> exam(std::string_view name) const override;
  /// Sorted sequences of the same length: a mean is taken position by position.
  Questions similar_questions(const Question& question, Index most) const override;
  std::string label(std::int32_t label) const override {
    return label == 1 ? "sorted" : "not sorted";
  }
  std::vector<std::int32_t> parse(std::string_view text) const override;
  std::optional<std::vector<std::int32_t>> right_answer(
      std::span<const std::int32_t> input) const override;
  std::string data_hash() const override { return data_.data_hash(); }
  std::vector<SplitMakeup> makeup() const override;

  const SortednessData& data() const { return data_; }

 private:
  SortednessData data_;
};

TaskShape sortedness_shape(const TaskConfig& task);

/// Sorted sequences of one length, always the same for a seed.
Questions sorted_questions(std::uint64_t seed, ValueKind values, Index length, Index count);

}  // namespace heddle
