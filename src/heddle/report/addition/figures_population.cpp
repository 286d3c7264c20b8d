// Figures over many members: see figures.hpp.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "heddle/base/text.hpp"
#include "heddle/report/addition/figures.hpp"
#include "heddle/report/document/label.hpp"
#include "heddle/report/document/lines.hpp"
#include "heddle/report/document/number.hpp"
#include "heddle/report/draw/chart.hpp"

namespace heddle::report {
namespace {

constexpr double kMostNote = 230;  // "100.00 % (median of 16)" and more

std::string seeds_text(std::size_t seeds) {
  return seeds == 1 ? "one seed" : fmt::format("{} seeds", seeds);
}

/// Bars of shares of seeds, a group per recipe.
BarFigure share_bars(const AdditionSource& source, std::vector<Estimate> Population::* list) {
  const AdditionStudy& study = source.study();
  BarFigure figure;
  figure.x_label = "share of seeds";
  figure.style = TickStyle::percent;
  figure.range = Extent{.low = 0, .high = 1, .any = true};
  for (std::size_t i = 0; i < study.populations.size(); ++i)
    for (const Estimate& estimate : study.populations[i].*list)
      figure.bars.push_back({.label = label_of(estimate.name),
                             .value = estimate.value,
                             .low = estimate.low,
                             .high = estimate.high,
                             .ink = series_ink(i),
                             .note = source.of(estimate.hits, estimate.seeds),
                             .group = fmt::format("{} ({})", study.populations[i].recipe,
                                                  seeds_text(study.populations[i].seeds.size()))});
  return figure;
}

Series profile_of(const MemberRecord& member, Ink ink) {
  Series line;
  line.ink = ink;
  line.width = 0.9;
  line.opacity = 0.35;
  const auto effects = ranked(member.ablation.heads, AblationMode::mean);
  for (std::size_t i = 0; i < effects.size(); ++i) {
    line.x.push_back(static_cast<double>(i + 1));
    line.y.push_back(100 * effects[i]->drop);
  }
  return line;
}

Series profile_of(const Population& population, Ink ink) {
  Series line;
  line.label = population.recipe;
  line.ink = ink;
  line.width = 2.4;
  line.dots = true;
  for (std::size_t i = 0; i < population.profile.size(); ++i) {
    const Estimate& estimate = population.profile[i];
    line.x.push_back(static_cast<double>(i + 1));
    line.y.push_back(100 * estimate.value);
    line.low.push_back(100 * estimate.low);
    line.high.push_back(100 * estimate.high);
  }
  return line;
}

/// Accuracy against heads left, over all curves of one kind: median, lowest and highest.
Series pruning_of(const std::vector<const MemberRecord*>& members, PruneOrder by, Ink ink) {
  std::map<double, std::vector<double>> shares;
  for (const MemberRecord* member : members)
    for (const PruneCurve& curve : member->pruning.curves) {
      if (curve.by != by) continue;
      for (const PrunePoint& point : curve.points)
        if (point.scored.total > 0)
          shares[static_cast<double>(point.heads_left)].push_back(point.scored.share());
    }
  Series line;
  line.label = name_of(by);
  line.ink = ink;
  line.dots = true;
  for (const auto& [left, values] : shares) {
    line.x.push_back(left);
    line.y.push_back(median(values));
    line.low.push_back(*std::ranges::min_element(values));
    line.high.push_back(*std::ranges::max_element(values));
  }
  return line;
}

/// The first number of a text that a percent sign follows, as a fraction.
double percentage_in(const std::string& text) {
  const std::size_t sign = text.find('%');
  if (sign == std::string::npos) return kNone;
  std::size_t end = sign;
  while (end > 0 && text[end - 1] == ' ') --end;
  std::size_t start = end;
  while (start > 0 &&
         std::string_view("0123456789.").find(text[start - 1]) != std::string_view::npos)
    --start;
  const auto number = parse_double(std::string_view(text).substr(start, end - start));
  return number ? *number / 100 : kNone;
}

void add_measured(BarFigure& figure, const AdditionSource& source) {
  const AdditionStudy& study = source.study();
  const auto recipes = recipes_of(study);
  for (const std::string& recipe : recipes) {
    std::vector<const Count*> greedy, forced;
    bool sound = true;
    for (const MemberRecord* member : members_of(study, recipe)) {
      if (member->test.greedy.total == 0) continue;
      sound = sound && member->defect.empty();
      greedy.push_back(&member->test.greedy);
      forced.push_back(&member->test.teacher_forced);
    }
    if (greedy.empty()) continue;
    const auto add = [&](const std::string& name, const std::vector<const Count*>& counts,
                         Ink ink) {
      std::vector<double> values;
      for (const Count* count : counts) values.push_back(count->share());
      figure.bars.push_back(
          {.label = name,
           .value = median(values),
           .low = *std::ranges::min_element(values),
           .high = *std::ranges::max_element(values),
           .ink = ink,
           .note = source.median_share(counts),
           .group = fmt::format("{}: {} measured here", recipe, seeds_text(greedy.size()))});
    };
    add("teacher-forced", forced, Ink::s2);
    add("greedy", greedy, sound ? Ink::s0 : Ink::s1);
  }
}

}  // namespace

std::string population_profile(const AdditionStudy& study) {
  LinePanel panel;
  panel.x_label = "rank of the head within its member (1 = costs most)";
  panel.x_style = TickStyle::count;
  panel.y_label = "drop (percentage points)";
  for (std::size_t i = 0; i < study.populations.size(); ++i) {
    const Population& population = study.populations[i];
    for (const MemberRecord* member : members_of(study, population.recipe))
      panel.series.push_back(profile_of(*member, series_ink(i)));
    panel.series.push_back(profile_of(population, series_ink(i)));
  }
  std::erase_if(panel.series, [](const Series& series) { return series.x.empty(); });
  if (panel.series.empty()) return "";
  LineFigure figure;
  figure.text = {.title = "How much each head matters, ranked within each member",
                 .subtitle =
                     "Share of answers lost when one head gives its mean "
                     "output. Heads are ranked anew in each seed: "
                     "head numbers mean nothing across seeds.",
                 .caption =
                     "Thin lines: one seed each. Thick line: estimate over "
                     "seeds; band: its 95 % interval."};
  figure.panels = {panel};
  figure.panel_height = 320;
  return draw(figure);
}

std::string critical_module(const AdditionSource& source) {
  BarFigure figure = share_bars(source, &Population::critical_module);
  if (figure.bars.empty()) return "";
  figure.text = {
      .title = "Where the most critical head sits",
      .subtitle = "Share of seeds whose costliest single head (mean ablation) is in each module.",
      .caption = "Whiskers: exact binomial 95 % intervals over seeds. Right: seeds."};
  return draw(figure);
}

std::string roles(const AdditionSource& source) {
  BarFigure figure = share_bars(source, &Population::roles);
  if (figure.bars.empty()) return "";
  figure.text = {
      .title = "Which roles appear",
      .subtitle = "Share of seeds with at least one head that the written rules give the role.",
      .caption = "Whiskers: exact binomial 95 % intervals over seeds. Right: seeds."};
  return draw(figure);
}

std::string pruning_curves(const AdditionStudy& study) {
  LineFigure figure;
  figure.text = {.title = "How many heads a member can lose",
                 .subtitle =
                     "Answers right (greedy) against heads left, measured anew after every "
                     "removal, on problems that did not choose the heads.",
                 .caption =
                     "Lines: median over seeds (random: over seeds and orders). Bands: from "
                     "the lowest to the highest."};
  figure.panel_height = 300;
  for (const std::string& recipe : recipes_of(study)) {
    LinePanel panel;
    panel.title = recipe;
    panel.x_label = "heads left";
    panel.y_label = "answers right";
    panel.y_style = TickStyle::percent;
    panel.y_range = Extent{.low = 0, .high = 1, .any = true};
    panel.x_style = TickStyle::count;
    panel.x_falls = true;
    for (const PruneOrder order : {PruneOrder::measured, PruneOrder::gradient, PruneOrder::random})
      panel.series.push_back(
          pruning_of(members_of(study, recipe), order, series_ink(to_size(order))));
    std::erase_if(panel.series, [](const Series& series) { return series.x.empty(); });
    if (!panel.series.empty()) figure.panels.push_back(panel);
  }
  figure.columns = figure.panels.size() > 1 ? 2 : 1;
  return figure.panels.empty() ? "" : draw(figure);
}

std::string defect(const AdditionSource& source) {
  const AdditionStudy& study = source.study();
  BarFigure figure;
  figure.text = {.title = "What the reports measured, and what was there",
                 .subtitle =
                     "Accuracies as reported, as the reproduced defect gives them, and as "
                     "sound members score.",
                 .caption = "Whiskers of measured rows: lowest and highest seed; marks: median."};
  figure.legend = {{"reported", Ink::s5},
                   {"with the defect", Ink::s1},
                   {"sound", Ink::s0},
                   {"teacher-forced", Ink::s2}};
  figure.x_label = "share right";
  figure.style = TickStyle::percent;
  figure.range = Extent{.low = 0, .high = 1, .any = true};
  figure.dots = true;
  for (const Reproduction& row : study.reproductions) {
    if (!std::isfinite(percentage_in(row.reported))) continue;
    const std::string group = fmt::format("Report {}: {}", row.report, row.quantity);
    const auto add = [&](const std::string& name, const std::string& text, Ink ink) {
      const double value = percentage_in(text);
      if (std::isfinite(value) && value <= 1)
        figure.bars.push_back({.label = name,
                               .value = value,
                               .low = value,
                               .high = value,
                               .ink = ink,
                               .note = source.text(text),
                               .group = group});
    };
    add("reported", row.reported, Ink::s5);
    add("with the defect", row.with_defect, Ink::s1);
    add("sound", row.truth, Ink::s0);
  }
  add_measured(figure, source);
  for (Bar& bar : figure.bars) bar.note = fitted_text(bar.note, kTextSize, kMostNote);
  return figure.bars.empty() ? "" : draw(figure);
}

}  // namespace heddle::report
