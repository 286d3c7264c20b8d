// See score_text.hpp.
#include "heddle/cli/text/score_text.hpp"

#include "heddle/base/decimal.hpp"
#include "heddle/base/text.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/lens/stats/stats.hpp"

namespace heddle::cli {
namespace {

/// The table of one score: a line for each count, with an interval where it is a sample.
class ScoreTable {
 public:
  explicit ScoreTable(bool census) : census_(census) {
    std::vector<std::string> heading{"", "right", "of", "share"};
    if (!census_) heading.emplace_back("95 % interval");
    table_.add(heading);
  }

  void add(std::string name, const Count& count) {
    if (count.total == 0) return;
    std::vector<std::string> cells{std::move(name), format_count(count.correct),
                                   format_count(count.total), percent(count)};
    if (!census_) {
      const Interval interval = wilson(count);
      cells.push_back(format_percent_range(interval.low, interval.high, 2));
    }
    table_.add(cells);
  }
  void add(std::string_view name, const std::vector<Count>& counts) {
    for (std::size_t i = 0; i < counts.size(); ++i) add(fmt::format("{} {}", name, i), counts[i]);
  }
  std::string text() const { return table_.text(); }

 private:
  bool census_;
  Table table_{"lrrrr"};
};

std::string heading(const Config& config, std::int64_t step, const AdditionScore& score) {
  const bool census = score.set == "census";
  const std::string origin = step > 0
                                 ? fmt::format("seed {}, weights of step {}", config.seed, step)
                                 : "weights that no training here made";
  return fmt::format(
      "addition of {}-digit numbers, {} significant digit first, {}\n{}\n", config.task.digits,
      field_text(config.task.order), origin,
      census ? fmt::format("census: all {} pairs, so no sampling error",
                           format_count(score.greedy.total))
             : fmt::format("{}: {} problems", score.set, format_count(score.greedy.total)));
}

}  // namespace

std::string score_text(const Config& config, std::int64_t step, const AdditionScore& score) {
  ScoreTable table(score.set == "census");
  table.add("greedy", score.greedy);
  table.add("teacher-forced", score.teacher_forced);
  table.add("tokens, teacher-forced", score.teacher_forced_tokens);
  table.add("pairs seen in training", score.seen);
  table.add("pairs never seen", score.unseen);
  table.add("carries", score.by_carries);
  table.add("longest cascade", score.by_cascade);
  for (std::size_t column = 0; column < score.by_digit.size(); ++column)
    table.add(column == 0 ? "units digit" : fmt::format("10^{} digit", column),
              score.by_digit[column]);
  table.add("sum one digit longer", score.top_carry);
  std::string text = heading(config, step, score) + table.text();
  text += score.disagreements == 0
              ? "  teacher-forced and greedy agree problem by problem\n"
              : fmt::format("  teacher-forced and greedy differ on {} of {} problems: a defect\n",
                            format_count(score.disagreements), format_count(score.greedy.total));
  if (!score.mistakes.empty())
    text += fmt::format("  first mistakes: {}\n", join(score.mistakes, "  "));
  return text;
}

}  // namespace heddle::cli
