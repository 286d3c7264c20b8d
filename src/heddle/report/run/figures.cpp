// Figures of one run: see document.hpp.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "heddle/base/text.hpp"
#include "heddle/report/document/label.hpp"
#include "heddle/report/document/lines.hpp"
#include "heddle/report/document/number.hpp"
#include "heddle/report/draw/chart.hpp"
#include "heddle/report/run/document.hpp"

namespace heddle::report {
namespace {

constexpr std::size_t kMostLines = 6, kMostBars = 40;
constexpr double kMostNoted = 180;
constexpr std::string_view kLength = "length";

bool by_length(const ScoreGroup& group) {
  return group.unit == kLength && group.rows.size() > 1;
}

/// One value of every row against the training step.
template <class Value>
Series curve(const RunRecord& run, std::string label, std::size_t ink, Value value) {
  Series series;
  series.label = std::move(label);
  series.ink = series_ink(ink);
  for (const RunRow& row : run.curve) {
    series.x.push_back(static_cast<double>(row.step));
    series.y.push_back(value(row));
  }
  return series;
}

double share_of(const Count& count) {
  return count.total == 0 ? kNone : count.share();
}

LinePanel step_panel(std::string title, std::string y_label) {
  LinePanel panel;
  panel.title = std::move(title);
  panel.x_label = "training step";
  panel.y_label = std::move(y_label);
  panel.x_style = TickStyle::count;
  return panel;
}

LinePanel loss_panel(const RunRecord& run) {
  LinePanel panel = step_panel("Loss, logarithmic", "loss (nats)");
  panel.y_kind = AxisKind::log;
  panel.series = {
      curve(run, "training", 5, [](const RunRow& row) { return row.train_loss; }),
      curve(run, "validation", 0, [](const RunRow& row) { return row.validation_loss; })};
  for (Series& series : panel.series)
    for (double& value : series.y)
      if (!(value > 0)) value = kNone;  // a logarithmic axis has no place for it
  return panel;
}

LinePanel answers_panel(const RunRecord& run) {
  LinePanel panel = step_panel("Answers on validation", "answers right");
  if (run.curve.back().accuracy.total > 0) {
    panel.series = {
        curve(run, "labels", 0, [](const RunRow& row) { return share_of(row.accuracy); })};
    return share_panel(panel);
  }
  Series tokens = curve(run, "tokens", 5, [](const RunRow& row) { return share_of(row.tokens); });
  Series forced = curve(run, "teacher-forced", 1,
                        [](const RunRow& row) { return share_of(row.teacher_forced); });
  Series greedy = curve(run, "greedy", 0, [](const RunRow& row) { return share_of(row.greedy); });
  forced.dashes = "5 3";
  forced.width = 3;
  panel.series = {tokens, greedy, forced};
  return share_panel(panel);
}

/// What is told of the two ways of asking: up to the first mistake both read the same.
std::string agreement(const RunRecord& run) {
  return std::ranges::all_of(run.curve,
                             [](const RunRow& row) { return row.greedy == row.teacher_forced; })
             ? "Greedy and teacher-forced answers lie on each other, as they must."
             : "Greedy and teacher-forced answers differ, which a sound decoding does not do.";
}

/// The lines of most interest where there are too many to tell apart: the worst ones.
std::vector<const ScoreGroup*> drawn_groups(const RunRecord& run) {
  std::vector<const ScoreGroup*> groups;
  for (const ScoreGroup& group : run.score.groups)
    if (by_length(group)) groups.push_back(&group);
  const auto least = [](const ScoreGroup* group) {
    double share = 1;
    for (const ScoreRow& row : group->rows) share = std::min(share, row.count.share());
    return share;
  };
  std::ranges::stable_sort(groups, std::less{}, least);
  groups.resize(std::min(groups.size(), kMostLines));
  return groups;
}

Series line_of(const ScoreGroup& group, std::size_t ink, bool alone) {
  Series series;
  series.label = alone ? "" : group.name;
  series.ink = series_ink(ink);
  series.dots = true;
  for (const ScoreRow& row : group.rows) {
    series.x.push_back(parse_double(row.name).value_or(kNone));
    series.y.push_back(row.count.share());
    series.low.push_back(row.low);
    series.high.push_back(row.high);
  }
  return series;
}

}  // namespace

std::string run_learning_curves(const RunRecord& run) {
  if (run.curve.size() < 2) return "";
  LineFigure figure;
  figure.text = {.title = "Learning curves",
                 .subtitle = fmt::format("{}: against the training step.", name_of(run.member)),
                 .caption = std::string("Training loss: the mean since the validation before. ") +
                            (run.answers == "labels" ? "" : agreement(run))};
  figure.columns = 2;
  figure.panel_height = 250;
  figure.panels = {loss_panel(run), answers_panel(run)};
  return draw(figure);
}

std::string run_by_length(const RunRecord& run) {
  LinePanel panel;
  const auto groups = drawn_groups(run);
  for (std::size_t i = 0; i < groups.size(); ++i)
    panel.series.push_back(line_of(*groups[i], i, groups.size() == 1));
  if (panel.series.empty()) return "";
  panel.x_label = "length of the input (tokens)";
  panel.y_label = "answers right";
  panel.y_style = TickStyle::percent;
  panel.y_range = shares_seen(panel.series);
  const std::vector<double>& x = panel.series.front().x;
  if (x.back() >= 8 * x.front()) {
    panel.x_kind = AxisKind::log;
    panel.x_ticks = octaves(x.front(), x.back());
  }
  LineFigure figure;
  figure.text = {.title = "Answers right by length",
                 .subtitle = groups.size() > 1 ? "A line per kind of question, the worst first."
                                               : "On questions that no training saw.",
                 .caption = run.score.set == "census"
                                ? "Every question that there is: there is no sampling error."
                                : "Bands: Wilson’s 95 % intervals over the questions of one "
                                  "length; wide ones stand for few questions."};
  figure.panel_height = 260;
  figure.panels = {panel};
  return draw(figure);
}

std::string run_by_class(const RunSource& source) {
  const RunRecord& run = source.study();
  BarFigure figure;
  figure.text = {.title = "Answers right by class",
                 .subtitle = "The same questions, told apart.",
                 .caption = run.score.set == "census" ? "Every question that there is: there is no "
                                                        "sampling error."
                                                      : "Whiskers: Wilson’s 95 % intervals."};
  figure.x_label = "answers right";
  figure.style = TickStyle::percent;
  figure.range = Extent{.low = 0, .high = 1, .any = true};
  for (const ScoreGroup& group : run.score.groups) {
    if (group.unit == kLength || group.rows.size() > kMostBars) continue;
    for (const ScoreRow& row : group.rows)
      figure.bars.push_back(
          {.label = fitted(fmt::format("{} {}", group.unit, row.name), kTextSize, kMostNoted),
           .value = row.count.share(),
           .low = row.low,
           .high = row.high,
           .ink = Ink::s0,
           .note = say("{} ({})", source.share(row.count), source.of(row.count)),
           .group = group.name});
  }
  return figure.bars.empty() ? "" : draw(figure);
}

}  // namespace heddle::report
