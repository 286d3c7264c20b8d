// Figures of what happens while training: see figures.hpp.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include <fmt/format.h>

#include "heddle/report/document/number.hpp"
#include "heddle/report/sortedness/figures.hpp"
#include "heddle/report/sortedness/lengths.hpp"

namespace heddle::report {
namespace {

using PointValue = std::function<double(const SortLogPoint&)>;

struct Curves {
  std::string title, y_label;
  PointValue value;
};

LinePanel curve_panel(const SortednessStudy& study, const Populations& populations,
                      const Curves& curves) {
  LinePanel panel;
  panel.title = curves.title;
  panel.x_label = "training step";
  panel.y_label = curves.y_label;
  panel.x_style = TickStyle::count;
  for (std::size_t i = 0; i < populations.size(); ++i) {
    std::vector<Series> lines;
    for (const SortMember* member : members_of(study, populations[i]->recipe)) {
      Series line;
      for (const SortLogPoint& point : member->log) {
        line.x.push_back(static_cast<double>(point.step));
        line.y.push_back(curves.value(point));
      }
      if (!line.x.empty()) lines.push_back(line);
    }
    LineStyle style = style_of(i, "");
    style.dots = false;
    if (!lines.empty()) add_population(panel, lines, style);
  }
  return panel;
}

LinePanel loss_panel(LinePanel panel) {
  panel.y_kind = AxisKind::log;
  panel.references = {{.value = std::numbers::ln2, .label = "ln 2: guessing"}};
  return panel;
}

}  // namespace

std::string learning_curves(const SortednessStudy& study, const Populations& populations) {
  Populations shown = populations;
  std::erase_if(shown, [&](const SortPopulation* population) {
    return std::ranges::all_of(members_of(study, population->recipe),
                               [](const SortMember* member) { return member->log.empty(); });
  });
  if (shown.empty()) return "";
  LineFigure figure;
  figure.text = {.title = "Learning curves",
                 .subtitle =
                     "Losses on a logarithmic axis; accuracy and share called sorted on "
                     "the validation set, lengths as in training.",
                 .caption =
                     "Thin lines: one seed each. Thick lines: the median over the seeds of "
                     "a recipe."};
  figure.columns = 2;
  figure.panel_height = 240;
  const auto panel = [&](const char* title, const char* y_label, const PointValue& value) {
    return curve_panel(study, shown, {.title = title, .y_label = y_label, .value = value});
  };
  figure.panels = {
      loss_panel(panel("Training loss", "loss (nats)", [](auto& p) { return p.train_loss; })),
      loss_panel(
          panel("Validation loss", "loss (nats)", [](auto& p) { return p.validation_loss; })),
      share_panel(panel("Validation accuracy", "accuracy", [](auto& p) { return p.accuracy; })),
      share_panel(panel("Share called sorted", "called sorted",
                        [](auto& p) { return p.predicted_positive; }))};
  figure.legend = length_legend(shown, {});
  return draw(figure);
}

std::string learned_in_range(const SortSource& source) {
  const SortednessStudy& study = source.study();
  BarFigure figure;
  figure.text = {
      .title = "How many seeds learned the task at the training lengths",
      .subtitle = "Learned: the accuracy in range reaches the bar that the report states.",
      .caption = "Whiskers: exact binomial 95 % intervals over seeds. Right: seeds."};
  figure.x_label = "share of seeds that learned it in range";
  figure.style = TickStyle::percent;
  figure.range = Extent{.low = 0, .high = 1, .any = true};
  figure.dots = true;
  for (const SortPopulation& population : study.populations) {
    const auto seeds = static_cast<std::int64_t>(population.seeds.size());
    if (seeds == 0) continue;
    figure.bars.push_back(
        {.label = population.recipe,
         .value = static_cast<double>(population.learned) / static_cast<double>(seeds),
         .low = population.learned_low,
         .high = population.learned_high,
         .ink = population.group == "recipe" ? Ink::s0 : Ink::s5,
         .note = say("{} of {}", source.count(population.learned), source.size(population.seeds)),
         .group = population.group});
  }
  return figure.bars.empty() ? "" : draw(figure);
}

}  // namespace heddle::report
