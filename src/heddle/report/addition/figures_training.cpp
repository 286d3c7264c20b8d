// Figures of what happens while training: see figures.hpp.
#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "heddle/report/addition/figures.hpp"
#include "heddle/report/document/label.hpp"
#include "heddle/report/document/lines.hpp"

namespace heddle::report {
namespace {

using Members = std::vector<const MemberRecord*>;

double share_or_none(const Count& count) {
  return count.total == 0 ? kNone : count.share();
}
double share_or_none(const std::vector<Count>& counts, std::size_t i) {
  return i < counts.size() ? share_or_none(counts[i]) : kNone;
}

/// A value of each member's rows against the training step.
template <class Row>
std::vector<Series> lines_of(const Members& members, std::vector<Row> MemberRecord::* rows,
                             const std::function<double(const Row&)>& value) {
  std::vector<Series> lines;
  for (const MemberRecord* member : members) {
    Series line;
    for (const Row& row : member->*rows) {
      line.x.push_back(static_cast<double>(row.step));
      line.y.push_back(value(row));
    }
    lines.push_back(line);
  }
  return lines;
}

LinePanel curve_panel(const AdditionStudy& study, const std::string& title,
                      const std::string& y_label,
                      const std::function<double(const CurveRow&)>& value) {
  LinePanel panel;
  panel.title = title;
  panel.x_label = "training step";
  panel.y_label = y_label;
  panel.x_style = TickStyle::count;
  const auto recipes = recipes_of(study);
  for (std::size_t i = 0; i < recipes.size(); ++i)
    add_population(panel,
                   lines_of<CurveRow>(members_of(study, recipes[i]), &MemberRecord::curve, value),
                   {.label = recipes[i], .ink = series_ink(i)});
  return panel;
}

/// The recipe whose members single panels show: the shown member's.
Members shown_members(const AdditionStudy& study) {
  const MemberRecord* shown = member_to_show(study);
  return shown == nullptr ? Members{} : members_of(study, shown->recipe);
}

template <class Row>
LinePanel carries_panel(const Members& members, std::vector<Row> MemberRecord::* rows,
                        std::string title) {
  LinePanel panel;
  panel.title = std::move(title);
  panel.x_label = "training step";
  panel.y_label = "answers right, greedy";
  panel.x_style = TickStyle::count;
  std::size_t classes = 0;
  for (const MemberRecord* member : members)
    for (const Row& row : member->*rows) classes = std::max(classes, row.by_carries.size());
  for (std::size_t carries = 0; carries < classes; ++carries) {
    Series middle = median_of(lines_of<Row>(
        members, rows, [&](const Row& row) { return share_or_none(row.by_carries, carries); }));
    middle.label = fmt::format("{} {}", carries, carries == 1 ? "carry" : "carries");
    middle.ink = series_ink(carries);
    panel.series.push_back(middle);
  }
  return share_panel(panel);
}

std::string listed(const Members& members) {
  if (members.empty()) return "";
  return fmt::format("{}, {} {}", members.front()->recipe, members.size(),
                     members.size() == 1 ? "seed" : "seeds");
}

bool has_rows(const AdditionStudy& study) {
  return std::ranges::any_of(study.members,
                             [](const MemberRecord& member) { return !member.curve.empty(); });
}

LinePanel titled(std::string title, std::string y_label) {
  LinePanel panel;
  panel.title = std::move(title);
  panel.y_label = std::move(y_label);
  return panel;
}

/// Conditional measures and second measures of sparsity stand in the tables: a panel shows one
/// each.
bool is_drawn(const std::string& name) {
  return name.find('|') == std::string::npos && name != "gini" && name != "hoyer";
}

/// A line per name of a list of named values, the middle over members.
LinePanel named_panel(const Members& members, std::vector<NamedValue> Snapshot::* list,
                      LinePanel panel) {
  std::vector<std::string> names;
  for (const MemberRecord* member : members)
    for (const Snapshot& shot : member->snapshots)
      for (const NamedValue& value : shot.*list)
        if (is_drawn(value.name) && std::ranges::find(names, value.name) == names.end())
          names.push_back(value.name);
  const double absent =
      list == &Snapshot::roles ? 0 : kNone;  // no head has a role that is not named
  for (std::size_t i = 0; i < names.size(); ++i) {
    Series middle =
        median_of(lines_of<Snapshot>(members, &MemberRecord::snapshots, [&](const Snapshot& shot) {
          const auto found = std::ranges::find(shot.*list, names[i], &NamedValue::name);
          return found == (shot.*list).end() ? absent : found->value;
        }));
    middle.label = label_of(names[i]);
    middle.ink = series_ink(i);
    middle.dots = true;
    if (i >= kSeriesColours) middle.dashes = "5 3";
    panel.series.push_back(middle);
  }
  panel.x_label = "training step";
  panel.x_kind = AxisKind::log;
  panel.x_style = TickStyle::count;
  return panel;
}

}  // namespace

std::string learning_curves(const AdditionStudy& study) {
  if (!has_rows(study)) return "";
  const Members shown = shown_members(study);
  LineFigure figure;
  figure.text = {
      .title = "Learning curves",
      .subtitle = "On the validation problems of each member, against the training step.",
      .caption =
          "Thin lines: one seed each. Thick lines: the median over the seeds of a recipe. "
          "By carries: medians of " +
          listed(shown) + "."};
  figure.columns = 2;
  figure.panel_height = 250;
  LinePanel loss = curve_panel(study, "Loss, logarithmic", "validation loss (nats)",
                               [](const CurveRow& row) { return row.validation_loss; });
  loss.y_kind = AxisKind::log;
  figure.panels = {
      loss,
      share_panel(curve_panel(study, "Tokens", "tokens right, teacher-forced",
                              [](const CurveRow& row) { return share_or_none(row.tokens); })),
      share_panel(curve_panel(study, "Whole answers", "answers right, greedy",
                              [](const CurveRow& row) { return share_or_none(row.greedy); })),
      carries_panel<CurveRow>(shown, &MemberRecord::curve, "By number of carries")};
  return draw(figure);
}

std::string through_training(const AdditionStudy& study) {
  const Members shown = shown_members(study);
  if (std::ranges::all_of(shown, [](auto* member) { return member->snapshots.empty(); })) return "";
  LinePanel carries =
      carries_panel<Snapshot>(shown, &MemberRecord::snapshots, "Answers right, by carries");
  carries.x_kind = AxisKind::log;
  for (Series& series : carries.series) series.dots = true;
  LineFigure figure;
  figure.text = {.title = "Through training",
                 .subtitle = "When accuracy, critical heads and roles appear (logarithmic steps).",
                 .caption = "Lines: medians over the seeds (" + listed(shown) +
                            "). Drop: share of answers lost when the most "
                            "critical head of the module gives its mean output. Measures: the "
                            "largest value among all heads."};
  figure.columns = 2;
  figure.panel_height = 260;
  LinePanel modules =
      named_panel(shown, &Snapshot::modules,
                  titled("Most critical head of each module", "drop (percentage points)"));
  for (Series& series : modules.series)
    for (double& value : series.y) value *= 100;
  LinePanel role_counts =
      named_panel(shown, &Snapshot::roles, titled("Heads with each role", "heads"));
  role_counts.y_style = TickStyle::count;
  figure.panels = {carries, modules, role_counts,
                   named_panel(shown, &Snapshot::measures,
                               titled("Attention measures", "largest value over heads"))};
  std::erase_if(figure.panels, [](const LinePanel& panel) { return panel.series.empty(); });
  return draw(figure);
}

}  // namespace heddle::report
