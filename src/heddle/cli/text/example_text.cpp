// See example_text.hpp.
#include "heddle/cli/text/example_text.hpp"

#include "heddle/base/decimal.hpp"
#include "heddle/base/text.hpp"
#include "heddle/eval/examples.hpp"
#include "heddle/lens/stats/stats.hpp"
#include "heddle/model/member.hpp"
#include "heddle/record/json.hpp"
#include "heddle/record/tree.hpp"
#include "heddle/train/watchdogs.hpp"

namespace heddle::cli {

const Flag kAnswerFlag{.name = "--answer",
                       .value = "TEXT",
                       .help = "the right answer, where the task does not know it"};

namespace {

Json with_interval(const Count& count) {
  const Interval interval = wilson(count);
  return {{"correct", count.correct},
          {"total", count.total},
          {"low", interval.low},
          {"high", interval.high}};
}

void add(Table& table, const std::string& name, const Count& count) {
  if (count.total == 0) return;
  const Interval interval = wilson(count);
  table.add({name, format_count(count.correct), format_count(count.total), percent(count),
             format_percent_range(interval.low, interval.high, 2)});
}

}  // namespace

Json json_of(const ExampleScore& score) {
  Json json{{"set", score.set}};
  if (score.labels()) {
    json["accuracy"] = with_interval(score.accuracy);
    json["by_label"] = to_tree(score.by_label);
    json["most_given"] = score.most_given();
    json["most_true"] = score.most_true();
    json["constant"] = score.constant();
  } else {
    json["greedy"] = with_interval(score.greedy);
    json["teacher_forced"] = with_interval(score.teacher_forced);
    json["teacher_forced_tokens"] = with_interval(score.teacher_forced_tokens);
    json["disagreements"] = score.disagreements;
  }
  json["by_length"] = to_tree(score.by_length);
  json["loss"] = score.loss;
  json["mistakes"] = score.mistakes;
  return json;
}

std::string score_text(const ExampleScore& score) {
  constexpr std::size_t kMostRows = 24, kMistakesShown = 5;
  Table table("lrrrr");
  table.add({score.set, "right", "of", "share", "95 % interval"});
  add(table, "greedy", score.greedy);
  add(table, "teacher-forced", score.teacher_forced);
  add(table, "tokens", score.teacher_forced_tokens);
  add(table, "labels", score.accuracy);
  if (score.by_label.size() <= kMostRows)
    for (const LabelCount& each : score.by_label) add(table, "label " + each.label, each.count);
  if (score.by_length.size() <= kMostRows)
    for (const LengthCount& each : score.by_length)
      add(table, fmt::format("length {}", each.length), each.count);
  std::string text = table.text();
  for (std::size_t i = 0; i < std::min(kMistakesShown, score.mistakes.size()); ++i)
    text += fmt::format("  wrong: {}\n", score.mistakes[i]);
  return text;
}

ReadProgress reading_on(Console& console) {
  return [&console](std::uint64_t done, std::uint64_t total) {
    stop_if_interrupted();
    constexpr double kMega = 1e6;
    if (console.due())
      console.bar(total == 0 ? 1 : static_cast<double>(done) / static_cast<double>(total),
                  fmt::format("reading {:.0f} of {:.0f} MB", static_cast<double>(done) / kMega,
                              static_cast<double>(total) / kMega));
  };
}

ExampleResult score_run(const std::string& run, Team& team, Console& console) {
  const Member member = load_member(run);
  const auto task = make_example_task(member.config, reading_on(console));
  const ExampleExam exam{.config = member.config,
                         .task = *task,
                         .model = *member.model,
                         .weights = member.weights,
                         .team = team,
                         .progress = [](Index, Index) { stop_if_interrupted(); }};
  ExampleResult result{.validation = score_examples(exam, "validation", task->validation()),
                       .test = score_examples(exam, "test", task->test()),
                       .warnings = {}};
  console.erase();
  const std::int64_t last = member.config.train.steps;  // every watchdog may speak
  result.warnings = Watchdogs(member.config, 0, {}).after_validation(last, result.test);
  return result;
}

}  // namespace heddle::cli
