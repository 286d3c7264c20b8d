// See golden_figures.hpp. Only sums, products and quotients: the same numbers on every machine.
#include "tests/support/report/golden_figures.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "heddle/base/index.hpp"
#include "heddle/record/addition_study.hpp"
#include "heddle/report/addition/figures.hpp"
#include "heddle/report/parts/attention.hpp"
#include "heddle/report/parts/roles.hpp"

namespace heddle::testing {
namespace {

using namespace report;

constexpr double kNo = std::numeric_limits<double>::quiet_NaN();

FigureText words(const std::string& kind) {
  return {.title = fmt::format("A figure with {}", kind),
          .subtitle =
              "What is shown, in a sentence that is long enough to need a second line of "
              "the paper when the figure is as narrow as a column of text is.",
          .caption = "What the intervals and bands mean."};
}

Series rising(const std::string& label, double slope, Ink ink) {
  Series line;
  line.label = label;
  line.ink = ink;
  line.dots = true;
  for (int i = 0; i < 8; ++i) {
    const double x = 8.0 * static_cast<double>(1U << static_cast<unsigned>(i));
    const double y = 1 / (1 + slope * x);
    line.x.push_back(x);
    line.y.push_back(i == 4 && ink == Ink::s1 ? kNo : y);
    line.low.push_back(0.9 * y);
    line.high.push_back(y + 0.1 * (1 - y));
  }
  return line;
}

/// Two layers of two modules with two heads, everything known that the figures of heads need.
MemberRecord small_member(std::uint64_t seed) {
  MemberRecord member;
  member.recipe = "tuned";
  member.seed = seed;
  const std::vector<std::string> roles{"aligned", "column", "sharp", "operator"};
  double drop = 0.48 / static_cast<double>(seed);
  int i = 0;
  for (const char* module : {"encoder.0.self", "encoder.1.self", "decoder.0.cross"})
    for (int head = 0; head < 4; ++head, ++i) {
      const std::string name = fmt::format("{}.head.{}", module, head);
      Effect effect;
      effect.what = name;
      effect.mode = AblationMode::mean;
      effect.drop = drop;
      effect.low = drop - 0.01;
      effect.high = drop + 0.02;
      effect.band = band_of(drop);
      member.ablation.heads.push_back(effect);
      member.specialisation.measures.push_back(
          {.head = name, .measure = "entropy", .value = ((i * 5) % 12) / 12.0, .uniform = 1});
      if (i % 3 != 2)
        member.specialisation.roles.push_back(
            {.head = name, .role = roles[to_size(i % 4)], .score = 0.5});
      drop *= 0.6;
    }
  member.patching.path = {
      "0|stream|encoder.embed.out|b0|0.55",     "0|head|encoder.0.self.head.3|a0|0.25",
      "0|stream|encoder.0.resid_after|b0|0.52", "0|head|encoder.1.self.head.2|b1|0.35",
      "0|stream|encoder.1.resid_after|b1|0.31", "0|stream|encoder.1.resid_after|a1|0.29",
      "0|head|decoder.0.cross.head.0|s2|0.21",  "0|head|decoder.0.cross.head.3|s2|0.18",
      "0|stream|decoder.0.resid_after|s2|0.74", "0|digit|logits|s1|1.00",
      "1|stream|encoder.embed.out|b1|0.54",     "1|stream|encoder.0.resid_after|b1|0.54",
      "1|head|decoder.0.cross.head.0|BOS|0.86", "1|digit|logits|s2|1.00"};
  for (const PruneOrder by : {PruneOrder::measured, PruneOrder::gradient, PruneOrder::random}) {
    PruneCurve curve;
    curve.by = by;
    for (std::int64_t left = 12; left >= 0; --left) {
      PrunePoint point;
      point.heads_left = left;
      const std::int64_t knee = by == PruneOrder::measured ? 4 : by == PruneOrder::gradient ? 6 : 9;
      point.scored = {.correct = left >= knee ? 500 : 500 * left / knee, .total = 500};
      curve.points.push_back(point);
    }
    member.pruning.curves.push_back(curve);
  }
  return member;
}

AttentionPicture small_picture() {
  AttentionPicture picture;
  picture.name = "37+84";
  picture.output = picture.expected = "121";
  picture.source = {"3", "7", "+", "8", "4"};
  picture.target = {"BOS", "1", "2"};
  for (const char* module : {"encoder.0.self", "decoder.0.self", "decoder.0.cross"}) {
    AttentionGrid grid;
    grid.module = module;
    grid.heads = 2;
    grid.queries = module[0] == 'e' ? 5 : 3;
    grid.keys = std::string_view(module) == "decoder.0.self" ? 3 : 5;
    for (std::int64_t i = 0; i < grid.heads * grid.queries * grid.keys; ++i)
      grid.weights.push_back(static_cast<double>((7 * i) % 11) / 11);
    picture.modules.push_back(grid);
  }
  return picture;
}

MapFigure diverging_map() {
  MapFigure figure = golden_map(6, 6, false);
  figure.text = words("colours on both sides of nothing");
  figure.diverges = true;
  figure.most = 2;
  for (double& value : figure.maps[0].values) value = 4 * value - 2;
  figure.maps[0].values[0] = kNo;
  return figure;
}

}  // namespace

LineFigure golden_lines(AxisKind x, AxisKind y) {
  LinePanel panel;
  panel.title = "accuracy";
  panel.x_label = "length";
  panel.y_label = "share right";
  panel.x_kind = x;
  panel.y_kind = y;
  panel.series = {rising("first", 0.001, Ink::s0), rising("second", 0.01, Ink::s1),
                  rising("third", 0.012, Ink::s2)};
  panel.series[2].dashes = "7 3";
  if (y == AxisKind::linear)
    panel.references = {{.value = 0.5, .label = "guessing", .below = true}};
  if (x == AxisKind::log) {
    panel.x_ticks = octaves(1, 1e9);
    panel.shade = ShadedRange{.from = 8, .to = 32, .label = "trained"};
  }
  LineFigure figure;
  figure.text = words("lines and bands");
  figure.legend = {{"a line", Ink::s0, 2, ""}, {"a broken one", Ink::s2, 2, "7 3"}};
  figure.panels = {panel};
  return figure;
}

BarFigure golden_bars(bool dots) {
  BarFigure figure;
  figure.text = words(dots ? "marks and intervals" : "bars and intervals");
  figure.legend = {{"critical", Ink::s1}, {"redundant", Ink::s5}};
  figure.x_label = "drop (percentage points)";
  figure.dots = dots;
  figure.bars = {{.label = "Encoder L0 H0",
                  .value = 44.7,
                  .low = 40,
                  .high = 49,
                  .ink = Ink::s1,
                  .note = "44.7 [40.0, 49.0]",
                  .group = "tuned"},
                 {.label = "Decoder L1 cross H3",
                  .value = 0.4,
                  .low = -0.6,
                  .high = 1.4,
                  .ink = Ink::s5,
                  .note = "0.4 [−0.6, 1.4]",
                  .group = "tuned"},
                 {.label = "Encoder L0 H1",
                  .value = 12,
                  .low = 8,
                  .high = 16,
                  .ink = Ink::s1,
                  .note = "12.0 [8.0, 16.0]",
                  .group = "as reported"},
                 {.label = "Decoder L0 self H1",
                  .value = kNo,
                  .low = kNo,
                  .high = kNo,
                  .ink = Ink::s5,
                  .note = "–",
                  .group = "as reported"}};
  figure.references = {{.value = 10, .label = "critical"}};
  return figure;
}

ScatterFigure golden_scatter() {
  ScatterFigure figure;
  figure.text = words("points and names");
  figure.x_label = "entropy";
  figure.y_label = "drop (points)";
  for (int i = 0; i < 30; ++i)
    figure.spots.push_back({.x = ((i * 7) % 30) / 30.0,
                            .y = ((i * 11) % 30) / 2.0,
                            .label = "",
                            .ink = Ink::s5,
                            .faint = true});
  // Two on one place, one at each edge: names must not touch and must stay on the paper.
  const std::vector<std::pair<double, double>> places{{0.2, 9}, {0.21, 9.1}, {0.2, 9.4},
                                                      {0, 15},  {0.97, 0},   {0.6, 3}};
  for (const auto& [x, y] : places)
    figure.spots.push_back({.x = x,
                            .y = y,
                            .low = y - 1,
                            .high = y + 1.5,
                            .label = fmt::format("Encoder L0 H{}", figure.spots.size()),
                            .ink = Ink::s1});
  return figure;
}

MapFigure golden_map(std::size_t queries, std::size_t keys, bool triangular) {
  MapFigure figure;
  figure.text = words(triangular ? "a masked future" : "attention");
  figure.value_label = "attention weight";
  figure.row_label = "query";
  figure.column_label = "key";
  figure.cell = 30;
  Map map;
  map.title = "Encoder L0 H3";
  map.note = "costs 44.7 · aligned";
  for (std::size_t query = 0; query < queries; ++query) {
    map.rows.push_back(fmt::format("t{}", query));
    for (std::size_t key = 0; key < keys; ++key) {
      const double away = static_cast<double>(query > key ? query - key : key - query);
      map.values.push_back(triangular && key > query ? kNo : 1 / (1 + away));
    }
  }
  for (std::size_t key = 0; key < keys; ++key) map.columns.push_back(fmt::format("t{}", key));
  figure.maps = {map};
  return figure;
}

std::vector<FileText> golden_figures() {
  const MemberRecord member = small_member(1);
  const Source source(member);
  AdditionStudy study;
  study.members = {member, small_member(2)};
  LineFigure several = golden_lines(AxisKind::linear, AxisKind::linear);
  several.panels = {several.panels[0], several.panels[0], several.panels[0], several.panels[0]};
  several.columns = 2;
  several.panel_height = 200;
  constexpr auto kLinear = AxisKind::linear, kLog = AxisKind::log;
  return {
      {.path = "lines_linear.svg", .text = draw(golden_lines(kLinear, kLinear))},
      {.path = "lines_log.svg", .text = draw(golden_lines(kLog, kLog))},
      {.path = "small_multiples.svg", .text = draw(several)},
      {.path = "bars.svg", .text = draw(golden_bars(false))},
      {.path = "marks.svg", .text = draw(golden_bars(true))},
      {.path = "scatter.svg", .text = draw(golden_scatter())},
      {.path = "map_square.svg", .text = draw(golden_map(7, 7, false))},
      {.path = "map_triangular.svg", .text = draw(golden_map(6, 6, true))},
      {.path = "map_rectangular.svg", .text = draw(golden_map(4, 9, false))},
      {.path = "map_diverging.svg", .text = draw(diverging_map())},
      {.path = "map_large.svg", .text = draw(golden_map(256, 256, true))},
      {.path = "layer_head_grid.svg", .text = attention_model(member, small_picture(), &source)},
      {.path = "role_map.svg", .text = role_map(source, member)},
      {.path = "sharpness.svg", .text = sharpness(study, study.members[0])},
      {.path = "pruning_curves.svg", .text = pruning_curves(study)},
      {.path = "carry_flow.svg", .text = carry_flow(source, member)}};
}

}  // namespace heddle::testing
