// A task: what trains, what is asked, by what a score is broken down, and how its words are
// written. addition/, sortedness/, rules/ and file/ implement it; registry.cpp lists them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heddle/record/training_log.hpp"
#include "heddle/task/exam.hpp"
#include "heddle/task/facets.hpp"
#include "heddle/task/questions.hpp"
#include "heddle/task/shape.hpp"

namespace heddle {

/// How the questions of an exam go through a model. The best checkpoint is chosen by the mean loss,
/// and a sum of rounded numbers depends on its order: so each task keeps the order it always had.
struct ExamPasses {
  Index questions = 125;     ///< of one pass: activations stay in the cache
  Index tokens = 0;          ///< unless 0: as many questions as have so many words in all
  Index loss_block = 125;    ///< questions whose losses are added up before they join the total
  bool margin_loss = false;  ///< two classes: the loss is taken in double from the logits' margin
};

/// What others must know of a task beside its questions and words.
struct TaskTraits {
  std::string questions = "examples";  ///< what its questions are called: "problems", "sequences"
  std::string words = "words";         ///< what its answers are made of: "digits"
  /// Whether the user may say what the right answer is; where not, the task always knows it.
  bool accepts_answers = true;
  std::string answer_sign = "→";  ///< between an input and its answer: "374+814 = 1188"
  char between_inputs = ';';      ///< several inputs on a command line; never part of an input
  std::string example_input = "3 1 4";       ///< for help texts
  std::string example_pair = "3 1 4,3 1 2";  ///< two inputs with different answers
  /// Words 0 … n − 1 that may stand for one another in an input; 0: all of them.
  Index free_words = 0;
  bool half_sorted = false;          ///< every set should hold as many sorted sequences as others
  bool may_repeat_training = false;  ///< what trains and what is asked are drawn on their own
  bool sets_by_length = false;       ///< has exams by length and kind of negative: sortedness/
  /// The label whose share is followed in training; −1: whichever is given most.
  std::int32_t positive_label = -1;
  ExamPasses passes{};
};

/// Read-only once made: threads may share it, and resuming needs nothing but the step's number.
class Task {
 public:
  explicit Task(const Config& config);
  virtual ~Task() = default;
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  const TaskShape& shape() const { return shape_; }
  const TaskTraits& traits() const { return traits_; }
  /// As a title: "addition", or the name of its file.
  const std::string& title() const { return title_; }
  /// In a few words: "addition of 3-digit numbers, most significant digit first".
  virtual std::string description() const { return title_; }
  Index batch() const { return batch_; }
  std::uint64_t seed() const { return seed_; }

  // ── what trains ──
  /// The `train.batch` questions of step `step` (from 0), whatever was drawn before. Allocates
  /// nothing once `out` has held its largest size.
  virtual void train_questions(Index step, Questions& out) const = 0;
  /// Questions that train; 0 for a stream that never ends.
  virtual Index train_size() const = 0;

  // ── what is asked ──
  const Questions& validation() const { return validation_; }
  const Questions& test() const { return test_; }
  /// "validation", "test" and what else the task has: "census", "adjacent at 256".
  virtual std::vector<std::string> exam_names() const;
  bool has_exam(std::string_view name) const;
  /// UsageError with the names there are. The task must outlive it.
  virtual std::unique_ptr<Exam> exam(std::string_view name) const;
  /// At most so many questions over which a head's mean may be taken to stand in for what it does
  /// on this one: the first of validation.
  virtual Questions similar_questions(const Question& question, Index most) const;
  /// By what a score is broken down. With `steps`, where the task can tell, also by what the first
  /// so many steps of training have shown.
  virtual std::unique_ptr<Facets> facets(Index steps = 0) const;

  // ── words ──
  /// A word as the user writes it.
  virtual std::string word(std::int32_t word) const { return std::to_string(word); }
  virtual std::string label(std::int32_t label) const { return std::to_string(label); }
  /// What stands between two words: " ", or "" where words are single characters.
  virtual std::string_view between_words() const { return " "; }
  /// Any token of the shape: a word, or "PAD", "BOS", "EOS", "CLS".
  std::string token(std::int32_t token) const;
  /// Words as the user writes them; control tokens are left out, an EOS ends the text.
  std::string text(std::span<const std::int32_t> tokens) const;
  /// What a model said, tokens or the one class, as a whole answer.
  virtual std::string answer_text(std::span<const std::int32_t> said) const;
  /// A wrong answer in one line: "3 1 4 → 4 1 1, not 4 1 3".
  virtual std::string mistake_text(const Question& question,
                                   std::span<const std::int32_t> said) const;

  /// An input as the user types it; UsageError for unknown words and what is too long.
  virtual std::vector<std::int32_t> parse(std::string_view text) const;
  /// An answer as the user types it; of labels the label alone.
  virtual std::vector<std::int32_t> parse_answer(std::string_view text) const;
  /// The right answer, where the task knows it.
  virtual std::optional<std::vector<std::int32_t>> right_answer(
      std::span<const std::int32_t> input) const = 0;

  // ── about its data ──
  /// Hash of what trains (of a stream, its first step) and of what is asked.
  virtual std::string data_hash() const;
  /// What the user should know about the data; one line each.
  virtual std::vector<std::string> notes() const { return {}; }
  /// Files that a run keeps beside its weights: name and content.
  virtual std::vector<std::pair<std::string, std::string>> files() const { return {}; }
  /// What each split is made of.
  virtual std::vector<SplitMakeup> makeup() const;

  // ── names that go with their last users ──
  void train_examples(Index step, Questions& out) const { train_questions(step, out); }
  std::vector<std::int32_t> parse_output(std::string_view text) const { return parse_answer(text); }
  std::optional<std::vector<std::int32_t>> answer(std::span<const std::int32_t> input) const {
    return right_answer(input);
  }

 protected:
  /// How a text falls into words, and which word a text is; UsageError for an unknown one.
  virtual std::vector<std::string> cut(std::string_view text) const;
  virtual std::int32_t find_word(const std::string& text) const;
  virtual std::int32_t find_label(const std::string& text) const;
  /// Calls use(row, place) for each row of a step: its place in the epochs of a fixed set, each
  /// epoch in an order of its own; a batch may span two.
  void epoch_places(Index step, Index size,
                    const std::function<void(Index row, Index place)>& use) const;

  Questions validation_, test_;
  TaskTraits traits_;

 private:
  TaskShape shape_;
  std::string title_;
  Index batch_;
  std::uint64_t seed_;
};

}  // namespace heddle
