// See pruning.hpp.
#include "heddle/report/parts/pruning.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "heddle/report/document/lines.hpp"
#include "heddle/report/draw/chart.hpp"

namespace heddle::report {
namespace {

std::string order_text(PruneOrder by) {
  if (by == PruneOrder::measured) return "the head that is missed least goes next";
  return by == PruneOrder::gradient ? "the head with the least gradient importance goes next"
                                    : "any head goes next";
}

/// A model that was called pruned but lost no head: it is the intact one of the row before.
bool is_intact(const std::vector<SmallerRow>& rows, const SmallerModel& model) {
  const auto at = std::ranges::find(rows, &model, &SmallerRow::model);
  return model.name == "pruned" && at != rows.begin() && (at - 1)->model->name == "intact" &&
         (at - 1)->model->heads_left == model.heads_left;
}

}  // namespace

Table smaller_table(const Source& source, const std::vector<Column>& owner,
                    const std::vector<SmallerRow>& rows) {
  Table table;
  table.caption = "Really smaller models: heads cut out of the weights, and controls.";
  table.columns = owner;
  table.columns.push_back({.head = "model", .right = false});
  for (const char* head : {"heads left", "parameters", "steps after the cut", "right", "share"})
    table.columns.push_back({.head = head});
  table.columns.push_back({.head = say("{} interval", Source::constant("confidence"))});
  for (const auto& [cells, model] : rows) {
    if (is_intact(rows, *model)) continue;  // "pruned" of all its heads would mislead
    std::vector<Text> row = cells;
    for (const Piece& cell :
         {source.text(model->name), source.count(model->heads_left),
          source.count(model->parameters), source.count(model->steps), source.of(model->scored),
          source.share(model->scored), source.percent_interval(model->low, model->high)})
      row.emplace_back(cell);
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table way_table(const Source& source, const PruneCurve& curve) {
  Table table;
  table.caption = "The way down, head by head.";
  table.columns = columns({"cut"}, {"heads left", "right where chosen", "right where scored",
                                    say("{} interval", Source::constant("confidence"))});
  for (const PrunePoint& point : curve.points)
    table.rows.push_back({point.cut.empty() ? Text("nothing yet") : Text(source.label(point.cut)),
                          source.count(point.heads_left), source.of(point.chosen_on),
                          source.of(point.scored), source.percent_interval(point.low, point.high)});
  return table;
}

std::string pruning_curve(const PruneCurve& curve, const std::string& name) {
  if (curve.points.size() < 2) return "";
  Series scored, chosen;
  scored.label = "scored";
  chosen.label = "chosen on";
  scored.dots = true;
  chosen.ink = Ink::s5;
  chosen.dashes = "5 3";
  for (const PrunePoint& point : curve.points) {
    const auto left = static_cast<double>(point.heads_left);
    scored.x.push_back(left);
    scored.y.push_back(point.scored.share());
    scored.low.push_back(point.low);
    scored.high.push_back(point.high);
    chosen.x.push_back(left);
    chosen.y.push_back(point.chosen_on.share());
  }
  LinePanel panel;
  panel.x_label = "heads left";
  panel.y_label = "answers right";
  panel.y_style = TickStyle::percent;
  panel.x_style = TickStyle::count;
  panel.x_falls = true;
  panel.series = {chosen, scored};
  panel.y_range = shares_seen(panel.series);
  LineFigure figure;
  figure.text = {.title = "How many heads can go",
                 .subtitle = fmt::format("Answers right against heads left; {} ({}).",
                                         order_text(curve.by), name),
                 .caption =
                     "Band: Wilson’s 95 % interval on questions that did not choose the "
                     "heads. Dashed: the questions that did."};
  figure.panel_height = 260;
  figure.panels = {panel};
  return draw(figure);
}

}  // namespace heddle::report
