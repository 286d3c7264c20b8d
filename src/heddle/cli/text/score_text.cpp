// See score_text.hpp.
#include "heddle/cli/text/score_text.hpp"

#include "heddle/base/decimal.hpp"
#include "heddle/base/text.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/eval/interval.hpp"
#include "heddle/record/json.hpp"
#include "heddle/record/tree.hpp"

namespace heddle::cli {
namespace {

constexpr std::string_view kCensus = "census";
constexpr std::size_t kMostRows = 24;  // of one facet: more are for programs

/// A census is not a sample: its share is what it is.
Interval interval_of(const Score& score, const Count& count) {
  if (score.set == kCensus) return {.low = count.share(), .high = count.share()};
  return wilson(count);
}

Json with_interval(const Score& score, const Count& count) {
  const Interval interval = interval_of(score, count);
  return {{"correct", count.correct},
          {"total", count.total},
          {"low", interval.low},
          {"high", interval.high}};
}

/// [{row_key: 0, "correct", "total"}, …].
Json rows_of(const FacetScore& facet) {
  Json list = Json::array();
  for (const FacetRow& row : facet.rows) {
    Json entry = Json::object();
    if (!facet.row_key.empty()) entry[facet.row_key] = parse_int(row.value).value_or(0);
    entry.update(heddle::json_of(row.count));
    list.push_back(std::move(entry));
  }
  return list;
}

void add_facets(const Score& score, Json& json) {
  for (const FacetScore& facet : score.facets)
    if (!facet.single) json[facet.key] = rows_of(facet);
  for (const FacetScore& facet : score.facets)
    if (facet.single)
      for (const FacetRow& row : facet.rows)
        json[row.key] = facet.known ? heddle::json_of(row.count) : Json();
}

/// The table of one score: a line for each count, with an interval where it is a sample.
class ScoreTable {
 public:
  explicit ScoreTable(const Score& score) : score_(score) {
    std::vector<std::string> heading{score.set, "right", "of", "share"};
    if (score.set != kCensus) heading.emplace_back("95 % interval");
    table_.add(heading);
  }

  void add(std::string name, const Count& count) {
    if (count.total == 0) return;
    std::vector<std::string> cells{std::move(name), format_count(count.correct),
                                   format_count(count.total), percent(count)};
    if (score_.set != kCensus) {
      const Interval interval = wilson(count);
      cells.push_back(format_percent_range(interval.low, interval.high, 2));
    }
    table_.add(cells);
  }
  std::string text() const { return table_.text(); }

 private:
  const Score& score_;
  Table table_{"lrrrr"};
};

/// Whether forced and greedy answers are the same.
std::string agreement_text(const Score& score, const Task& task) {
  if (score.labels()) return "";
  const std::string& questions = task.traits().questions;
  if (score.disagreements == 0)
    return fmt::format("  teacher-forced and greedy agree on all {}\n", questions);
  return fmt::format("  teacher-forced and greedy differ on {} of {} {}: a defect\n",
                     format_count(score.disagreements), format_count(score.greedy.total),
                     questions);
}

}  // namespace

Json json_of(const Score& score) {
  Json json{{"set", score.set}};
  if (score.labels()) {
    json["accuracy"] = with_interval(score, score.accuracy);
    json["by_label"] = to_tree(score.by_label);
    json["most_given"] = score.most_given();
    json["most_true"] = score.most_true();
    json["constant"] = score.constant();
  } else {
    json["greedy"] = with_interval(score, score.greedy);
    json["teacher_forced"] = with_interval(score, score.teacher_forced);
    json["teacher_forced_tokens"] = with_interval(score, score.teacher_forced_tokens);
    json["disagreements"] = score.disagreements;
  }
  add_facets(score, json);
  json["loss"] = score.loss;
  json["mistakes"] = score.mistakes;
  return json;
}

std::string score_text(const Score& score, const Task& task) {
  constexpr std::size_t kMistakesShown = 5;
  ScoreTable table(score);
  table.add("greedy", score.greedy);
  table.add("teacher-forced", score.teacher_forced);
  table.add("tokens, teacher-forced", score.teacher_forced_tokens);
  table.add("labels", score.accuracy);
  if (score.by_label.size() <= kMostRows)
    for (const LabelCount& each : score.by_label) table.add("label " + each.label, each.count);
  for (const FacetScore& facet : score.facets)
    if (facet.rows.size() <= kMostRows)
      for (const FacetRow& row : facet.rows) table.add(row.text, row.count);
  std::string text = table.text() + agreement_text(score, task);
  for (std::size_t i = 0; i < std::min(kMistakesShown, score.mistakes.size()); ++i)
    text += fmt::format("  wrong: {}\n", score.mistakes[i]);
  return text;
}

std::string score_heading(const Score& score, const Task& task, const Config& config,
                          std::int64_t step) {
  const std::string origin = step > 0
                                 ? fmt::format("seed {}, weights of step {}", config.seed, step)
                                 : "weights that no training here made";
  const std::string asked =
      score.set == kCensus ? fmt::format("census: all {} {}, so no sampling error",
                                         format_count(score.right().total), task.traits().questions)
                           : fmt::format("{}: {} {}", score.set, format_count(score.right().total),
                                         task.traits().questions);
  return fmt::format("{}, {}\n{}\n", task.description(), origin, asked);
}

}  // namespace heddle::cli
