// See rule_task.hpp.
#include "heddle/task/rules/rule_task.hpp"

#include <algorithm>

#include "heddle/base/hash.hpp"
#include "heddle/base/rng.hpp"

namespace heddle {
namespace {

std::uint64_t fingerprint(std::span<const std::int32_t> words) {
  Hash hash;
  for (const std::int32_t word : words) hash.add(static_cast<std::uint64_t>(word));
  return hash.value();
}

}  // namespace

RuleTask::RuleTask(const Config& config, Rule rule) : Task(config), rule_(std::move(rule)) {
  traits_.example_input = rule_.example_input;
  traits_.example_pair = rule_.example_pair;
  rule_.group ? split_listed(config.task.train_share) : hold_out_drawn();
}

void RuleTask::add(const Words& input, Words& output, Questions& out) const {
  rule_.answer(input, output);
  out.add(input, output);
}

/// At most a tenth of all inputs for each set, so that the stream stays rich.
void RuleTask::hold_out_drawn() {
  constexpr double kLeast = 100, kTenth = 10;
  check<UsageError>(rule_.inputs >= kLeast,
                    "this task has {} different inputs: accepted is settings with at least {}",
                    rule_.inputs, kLeast);
  const auto most =
      static_cast<Index>(std::min(static_cast<double>(kHeldOut), rule_.inputs / kTenth));
  Words input, output;
  std::uint64_t number = 0;
  for (Questions* list : {&validation_, &test_})
    while (list->size() < most) {
      Rng rng(seed(), "data.held_out", number++);
      rule_.draw(rng, input);
      if (held_out_.insert(fingerprint(input)).second) add(input, output, *list);
    }
}

void RuleTask::split_listed(double train_share) {
  const std::uint64_t all = rule_.groups;
  const Permutation order(Rng(seed(), "data.split", 0), all);
  const auto train = static_cast<std::uint64_t>(train_share * static_cast<double>(all));
  check<UsageError>(train >= 1 && all - train >= 2,
                    "{} groups of inputs of which {} train leave nothing to ask: accepted is at "
                    "least 2 others",
                    all, train);
  Words output;
  for (std::uint64_t i = 0; i < all; ++i) {
    const std::uint64_t rest = i - train;  // of those that do not train
    Questions& list = i < train ? train_ : (rest % 2 == 0 ? validation_ : test_);
    for (const Words& input : rule_.group(order(i))) add(input, output, list);
  }
}

void RuleTask::train_questions(Index step, Questions& out) const {
  out.clear();
  if (train_.size() > 0) {
    epoch_places(step, train_.size(), [&](Index, Index place) { out.add(train_[place]); });
    return;
  }
  Rng rng(seed(), "data.train", static_cast<std::uint64_t>(step));
  static thread_local Words input, output;
  while (out.size() < batch()) {
    rule_.draw(rng, input);
    if (!held_out_.contains(fingerprint(input))) add(input, output, out);
  }
}

std::optional<std::vector<std::int32_t>> RuleTask::right_answer(
    std::span<const std::int32_t> input) const {
  Words output;
  rule_.answer(input, output);
  return output;
}

}  // namespace heddle
