// See watchdogs.hpp.
#include "heddle/train/watchdogs.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "heddle/base/decimal.hpp"

namespace heddle {
namespace {

constexpr double kNear = 0.01;      // nat
constexpr double kConstant = 0.99;  // share of one class
constexpr double kSmooth = 0.95;    // of the loss: a batch is noisier than the plateau is wide

double entropy(const std::map<std::int32_t, std::int64_t>& counts, std::int64_t total) {
  double sum = 0;
  for (const auto& [label, count] : counts) {
    const double p = static_cast<double>(count) / static_cast<double>(total);
    sum -= p * std::log(p);
  }
  return sum;
}

}  // namespace

double prior_entropy(const Addition& task, std::span<const Problem> problems) {
  Batch batch;
  task.encoding().encode(problems, batch);
  double sum = 0;
  std::int64_t bearing = 0;
  for (Index place = 0; place < batch.target_length; ++place) {
    std::map<std::int32_t, std::int64_t> counts;
    std::int64_t total = 0;
    for (Index row = 0; row < batch.size; ++row) {
      const std::int32_t label = batch.target_out_row(row)[static_cast<std::size_t>(place)];
      if (label == kNoTarget) continue;
      ++counts[label];
      ++total;
    }
    sum += total > 0 ? static_cast<double>(total) * entropy(counts, total) : 0;
    bearing += total;
  }
  return bearing > 0 ? sum / static_cast<double>(bearing) : 0;
}

Watchdogs::Watchdogs(const Config& config, double prior_entropy, std::vector<Warning> spoken)
    : steps_(config.train.steps),
      first_column_(config.task.order == DigitOrder::most ? config.task.digits : 0),
      entropy_(prior_entropy),
      spoken_(std::move(spoken)) {}

std::optional<Warning> Watchdogs::after_step(std::int64_t step, double loss) {
  check<TrainingDiverged>(
      std::isfinite(loss),
      "training diverged: the loss is {} at step {}; a smaller train.lr or train.clip may help",
      loss, step);
  auto& [smooth, on_plateau] = memory_;
  smooth = smooth == 0 ? loss : kSmooth * smooth + (1 - kSmooth) * loss;
  on_plateau = std::abs(smooth - entropy_) < kNear ? on_plateau + 1 : 0;
  if (on_plateau < std::max<std::int64_t>(steps_ / 5, 1)) return std::nullopt;
  return speak(step, "plateau",
               fmt::format("the loss has stayed within {} nat of {:.3f}, the entropy of the labels "
                           "alone, for {} steps: nothing but label frequencies is learned",
                           kNear, entropy_, on_plateau));
}

std::vector<Warning> Watchdogs::after_validation(std::int64_t step, const AdditionScore& score) {
  std::vector<Warning> said;
  const auto add = [&](std::optional<Warning> warning) {
    if (warning) said.push_back(std::move(*warning));
  };
  if (score.disagreements > 0)
    add(speak(step, "forced ≠ greedy",
              fmt::format("teacher-forced and greedy answers differ in {} of {} problems "
                          "({} against {} right): before the first error both see the same prefix, "
                          "so this is a defect of training or decoding, not a cascade of mistakes",
                          score.disagreements, score.greedy.total, score.teacher_forced.correct,
                          score.greedy.correct)));
  const auto most = std::ranges::max_element(score.first_tokens);
  const double share = static_cast<double>(*most) / static_cast<double>(score.greedy.total);
  const Count& first_digit = score.by_digit[static_cast<std::size_t>(first_column_)];
  if (5 * step >= steps_ && share >= kConstant && first_digit.share() < kConstant)
    add(speak(step, "constant first token",
              fmt::format("{} of {} answers begin with {}, but only {} of those first digits are "
                          "right",
                          *most, score.greedy.total, most - score.first_tokens.begin(),
                          first_digit.correct)));
  return said;
}

std::vector<Warning> Watchdogs::after_validation(std::int64_t step, const SequenceScore& score) {
  std::vector<Warning> said;
  if (5 * step < steps_ || !score.constant()) return said;
  auto warning = speak(
      step, "constant predictor",
      fmt::format("{} of {} validation sequences get the same answer, \"{}\", though {} are "
                  "sorted: its accuracy is the share of that label and nothing more",
                  std::llround(std::max(score.predicted_positive, 1 - score.predicted_positive) *
                               static_cast<double>(score.accuracy.total)),
                  score.accuracy.total, score.predicted_positive > 0.5 ? "sorted" : "not sorted",
                  format_percent(score.positives, 1)));
  if (warning) said.push_back(std::move(*warning));
  return said;
}

std::vector<Warning> Watchdogs::after_validation(std::int64_t step, const ExampleScore& score) {
  std::vector<Warning> said;
  const auto add = [&](std::string watchdog, std::string message) {
    if (auto warning = speak(step, std::move(watchdog), std::move(message)))
      said.push_back(std::move(*warning));
  };
  if (score.disagreements > 0)
    add("forced ≠ greedy",
        fmt::format("teacher-forced and greedy answers differ in {} of {} examples: before the "
                    "first error both see the same prefix, so this is a defect",
                    score.disagreements, score.greedy.total));
  if (5 * step < steps_) return said;
  const double first = static_cast<double>(score.common_first) /
                       static_cast<double>(std::max<std::int64_t>(score.greedy.total, 1));
  if (!score.labels() && first >= kConstant && score.first_right.share() < kConstant)
    add("constant first token",
        fmt::format("{} of {} outputs begin with one token, and only {} first tokens are right",
                    score.common_first, score.greedy.total, score.first_right.correct));
  if (score.constant())
    add("constant predictor",
        fmt::format("one label is given to {} of the validation examples, though only "
                    "{} have the most frequent one: its accuracy is the share of that label",
                    format_percent(score.most_given(), 1), format_percent(score.most_true(), 1)));
  return said;
}

std::optional<Warning> Watchdogs::speak(std::int64_t step, std::string watchdog,
                                        std::string message) {
  for (const Warning& before : spoken_)
    if (before.watchdog == watchdog) return std::nullopt;
  spoken_.push_back({step, std::move(watchdog), std::move(message)});
  return spoken_.back();
}

}  // namespace heddle
