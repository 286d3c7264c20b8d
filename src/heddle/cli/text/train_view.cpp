// See train_view.hpp.
#include "heddle/cli/text/train_view.hpp"

#include <cmath>

#include "heddle/base/decimal.hpp"
#include "heddle/base/interrupt.hpp"
#include "heddle/base/text.hpp"
#include "heddle/cli/common.hpp"

namespace heddle::cli {
namespace {

constexpr double kSmooth = 0.9;
constexpr std::size_t kMostClasses = 8;  // more classes than a line can hold

std::string percent_text(double value) {
  return format_percent(value, 1);
}

/// "0 to 3 carries 16.6 35.9 33.9 13.6 %".
std::string carries(const SplitMakeup& split) {
  if (split.by_carries.size() > kMostClasses) return "in training_log.json";
  return format_percents(split.by_carries, 1);
}

}  // namespace

namespace {

std::string sequences_text(const std::vector<SplitMakeup>& makeup) {
  Table table("lrrrrr");
  table.add({"split", "sequences", "sorted", "ties", "gaps of 1", "descents of the others"});
  for (const SplitMakeup& split : makeup)
    table.add({split.split, format_count(split.count), percent_text(split.positives),
               percent_text(split.ties), percent_text(split.gap1),
               format_fixed(split.descents, 2)});
  return table.text();
}

std::string carries_text(const std::vector<SplitMakeup>& makeup) {
  Table table("lrlrrr");
  const std::size_t most = makeup.empty() ? 0 : makeup.front().by_carries.size() - 1;
  table.add({"split", "problems", fmt::format("0 … {} carries", most), "cascades", "double",
             "top carry"});
  for (const SplitMakeup& split : makeup)
    table.add({split.split, format_count(split.count), carries(split), percent_text(split.cascades),
               percent_text(split.double_cascades), percent_text(split.top_carries)});
  return table.text();
}

}  // namespace

namespace {

std::string examples_text(const std::vector<SplitMakeup>& makeup) {
  Table table("lr");
  table.add({"split", "examples"});
  for (const SplitMakeup& split : makeup)
    table.add(
        {split.split, split.count > 0 ? format_count(split.count) : of_no_examples(split.split)});
  return table.text();
}

}  // namespace

std::string makeup_text(const std::vector<SplitMakeup>& makeup) {
  const bool words = !makeup.empty() && makeup.front().examples;
  const bool sequences = !makeup.empty() && makeup.front().by_carries.empty();
  std::string text = words       ? examples_text(makeup)
                     : sequences ? sequences_text(makeup)
                                 : carries_text(makeup);
  text.pop_back();  // the console ends the line
  return text;
}

TrainView::TrainView(const Config& config, const Task& task, Console& console)
    : config_(&config),
      note_(join(task.notes(), "\n")),
      followed_(task.traits().positive_label < 0
                    ? "most frequent answer"
                    : "called " + task.label(task.traits().positive_label)),
      console_(&console) {}

TrainObserver TrainView::observer() {
  return {.started = [this](std::int64_t step, const TrainingLog& log) { started(step, log); },
          .stepped = [this](const TrainProgress& progress) { stepped(progress); },
          .validated = [this](const LogRow& row) { validated(row); },
          .warned = [this](const Warning& warning) { warned(warning); },
          .stop = [] { return interrupted(); },
          .snapshots = {}};
}

void TrainView::started(std::int64_t step, const TrainingLog& log) {
  label_defect(*config_, *console_);
  if (!note_.empty()) console_->note("{}", note_);
  console_->note("{}", makeup_text(log.makeup));
  console_->note("  data hash {} · settings hash {} · {}", log.data_hash, log.config_hash, log.isa);
  if (step > 0) console_->note("goes on at step {} of {}", step, config_->train.steps);
  first_step_ = step_ = step;
  begin_ = Clock::now();
}

void TrainView::stepped(const TrainProgress& progress) {
  step_ = progress.step;
  loss_ = loss_ == 0 ? progress.loss : kSmooth * loss_ + (1 - kSmooth) * progress.loss;
  if (!console_->due()) return;
  console_->bar(
      static_cast<double>(progress.step) / static_cast<double>(progress.steps),
      fmt::format("step {}/{}  {} samples/s  loss {:.4f}{}", progress.step, progress.steps,
                  format_count(static_cast<std::int64_t>(samples_per_second())), loss_,
                  time_left()));
}

void TrainView::validated(const LogRow& row) {
  const std::string scores =
      row.accuracy.total > 0 ? fmt::format("right {}  {} {}", percent(row.accuracy), followed_,
                                           percent_text(row.predicted_positive))
                             : fmt::format("tokens {}  forced {}  greedy {}", percent(row.tokens),
                                           percent(row.teacher_forced), percent(row.greedy));
  console_->note("step {:>{}}  loss {:.4f}  {}  {} samples/s{}", row.step,
                 fmt::formatted_size("{}", config_->train.steps), row.train_loss, scores,
                 format_count(static_cast<std::int64_t>(samples_per_second())), time_left());
}

void TrainView::warned(const Warning& warning) {
  console_->warn("warning, {} (step {}): {}", warning.watchdog, warning.step, warning.message);
}

double TrainView::samples_per_second() const {
  const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
  const auto samples = static_cast<double>((step_ - first_step_) * config_->train.batch);
  return seconds > 0 ? samples / seconds : 0;
}

std::string TrainView::time_left() const {
  const double rate = samples_per_second();
  const auto samples = static_cast<double>((config_->train.steps - step_) * config_->train.batch);
  if (samples == 0 || rate <= 0) return "";
  return fmt::format("  {} left", format_seconds(std::ceil(samples / rate)));
}

}  // namespace heddle::cli
