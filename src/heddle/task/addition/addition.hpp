// The addition task: its data, a pure function of configuration and seed, and its words.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "heddle/config/config.hpp"
#include "heddle/task/addition/carries.hpp"
#include "heddle/task/addition/encoding.hpp"
#include "heddle/task/addition/problem.hpp"
#include "heddle/task/addition/splits.hpp"
#include "heddle/task/batch.hpp"
#include "heddle/task/task.hpp"

namespace heddle {

class Rng;

/// Inputs are the digits of both operands with a plus between them, most significant first; an
/// answer is the sum's n + 1 digits, likewise.
class Addition : public Task {
 public:
  /// UsageError where the configuration's data cannot exist.
  explicit Addition(const Config& config);

  std::string description() const override;
  void train_questions(Index step, Questions& out) const override;
  Index train_size() const override { return std::ssize(splits_.train); }
  std::vector<std::string> exam_names() const override;
  std::unique_ptr<Exam> exam(std::string_view name) const override;
  std::unique_ptr<Facets> facets(Index steps = 0) const override;
  std::string word(std::int32_t word) const override { return std::string(token_text(word)); }
  std::string_view between_words() const override { return ""; }
  std::string answer_text(std::span<const std::int32_t> said) const override;
  std::string mistake_text(const Question& question,
                           std::span<const std::int32_t> said) const override;
  std::vector<std::int32_t> parse(std::string_view text) const override;
  std::vector<std::int32_t> parse_answer(std::string_view text) const override;
  std::optional<std::vector<std::int32_t>> right_answer(
      std::span<const std::int32_t> input) const override;
  std::string data_hash() const override;
  std::vector<std::string> notes() const override;
  std::vector<SplitMakeup> makeup() const override;

  const AdditionEncoding& encoding() const { return encoding_; }
  int digits() const { return encoding_.digits(); }

  /// The `train.batch` problems of step `step` (from 0), whatever was drawn before.
  void train_problems(Index step, std::vector<Problem>& out) const;
  /// The same as tokens.
  void train_batch(Index step, Batch& batch) const;

  std::span<const Problem> train_set() const { return splits_.train; }  ///< empty for a stream
  std::span<const Problem> validation_problems() const { return splits_.validation; }
  std::span<const Problem> test_problems() const { return splits_.test; }

  /// Make-up of what trains: the fixed set, or the stream's first 10,000 problems.
  Makeup train_makeup() const;
  /// The share of carry-balanced problems at a step, after fading.
  double carry_balance(Index step) const;

 private:
  template <class Use>
  void draw_step(Index step, Use&& use) const;
  Problem draw(Rng& rng, double balance) const;

  TaskConfig task_;
  Index steps_;
  AdditionEncoding encoding_;
  Splits splits_;
  PairSet held_out_;
};

}  // namespace heddle
