// See watchdogs.hpp.
#include "heddle/train/watchdogs.hpp"

#include <algorithm>
#include <cmath>

#include "heddle/base/decimal.hpp"
#include "heddle/base/index.hpp"

namespace heddle {
namespace {

constexpr double kNear = 0.01;      // nat
constexpr double kConstant = 0.99;  // share of one class
constexpr double kSmooth = 0.95;    // of the loss: a batch is noisier than the plateau is wide

/// "96.0 % are sorted".
std::string truth_of(const Score& score, std::int32_t positive) {
  if (positive < 0)
    return fmt::format("only {} have the most frequent one", format_percent(score.most_true(), 1));
  const LabelCount& label = score.by_label[to_size(positive)];
  const double share =
      static_cast<double>(label.count.total) / static_cast<double>(score.accuracy.total);
  return fmt::format("{} are {}", format_percent(share, 1), label.label);
}

}  // namespace

Watchdogs::Watchdogs(const Config& config, double prior_entropy, std::vector<Warning> spoken)
    : steps_(config.train.steps), entropy_(prior_entropy), spoken_(std::move(spoken)) {}

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

std::vector<Warning> Watchdogs::after_validation(std::int64_t step, const Score& score,
                                                 const TaskTraits& traits) {
  std::vector<Warning> said;
  const auto add = [&](std::string watchdog, std::string message) {
    if (auto warning = speak(step, std::move(watchdog), std::move(message)))
      said.push_back(std::move(*warning));
  };
  if (score.disagreements > 0)
    add("forced ≠ greedy",
        fmt::format("teacher-forced and greedy answers differ in {} of {} {} ({} against {} "
                    "right): before the first error both see the same prefix, so this is a defect "
                    "of training or decoding, not a cascade of mistakes",
                    score.disagreements, score.greedy.total, traits.questions,
                    score.teacher_forced.correct, score.greedy.correct));
  if (5 * step < steps_) return said;
  const double first = static_cast<double>(score.common_first) /
                       static_cast<double>(std::max<std::int64_t>(score.greedy.total, 1));
  if (!score.labels() && first >= kConstant && score.first_right.share() < kConstant)
    add("constant first token",
        fmt::format("{} of {} answers begin with {}, but only {} of those first {} are right",
                    score.common_first, score.greedy.total, score.common_first_word,
                    score.first_right.correct, traits.words));
  if (score.constant())
    add("constant predictor",
        fmt::format(
            "{} of {} validation {} get the same answer, \"{}\", though {}: its accuracy is "
            "the share of that label and nothing more",
            score.most_given_count(), score.accuracy.total, traits.questions,
            std::ranges::max(score.by_label, {}, &LabelCount::given).label,
            truth_of(score, traits.positive_label)));
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
