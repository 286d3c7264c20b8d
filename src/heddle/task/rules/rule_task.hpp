// The data of a task that follows a rule: a stream, or a share of all there is.
#pragma once

#include <unordered_set>

#include "heddle/task/rules/rule.hpp"
#include "heddle/task/task.hpp"

namespace heddle {

/// Stream: fresh inputs at every step, never one that is asked in validation or test. Listed
/// inputs: task.train_share of them train, epoch after epoch; the others are asked.
class RuleTask : public Task {
 public:
  static constexpr Index kHeldOut = 2000;  ///< of validation, and of test, at most

  RuleTask(const Config& config, Rule rule);

  void train_questions(Index step, Questions& out) const override;
  Index train_size() const override { return train_.size(); }
  std::optional<std::vector<std::int32_t>> right_answer(
      std::span<const std::int32_t> input) const override;

 private:
  void hold_out_drawn();
  void split_listed(double train_share);
  void add(const Words& input, Words& output, Questions& out) const;

  Rule rule_;
  Questions train_;  // empty for a stream
  std::unordered_set<std::uint64_t> held_out_;
};

}  // namespace heddle
