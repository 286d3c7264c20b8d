// See heatmap.hpp.
#include "heddle/report/draw/heatmap.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "heddle/base/decimal.hpp"
#include "heddle/report/draw/heatmap_layout.hpp"
#include "heddle/report/draw/png.hpp"

namespace heddle::report {
namespace {

constexpr double kBarWidth = 140, kLegendHeight = 9;
constexpr double kFineCell = 6.5;
constexpr int kColours = 250;  // the rest of a picture's palette is for masked cells

/// −1 … 1 or 0 … 1 of a value on the figure's colours.
double share_of(const MapFigure& figure, double value) {
  return std::clamp(value / figure.most, figure.diverges ? -1.0 : 0.0, 1.0);
}

std::string colour_of(const MapFigure& figure, double share) {
  return figure.diverges ? diverging(share) : sequential(share);
}

void draw_cells(Svg& svg, const MapFigure& figure, const Map& map, const Box& box,
                const CellSize& cell) {
  const std::size_t across = map.columns.size();
  for (std::size_t i = 0; i < map.values.size() && across > 0; ++i) {
    const std::size_t row = i / across, column = i % across;
    const Box place{box.x + cell.width * static_cast<double>(column),
                    box.y + cell.height * static_cast<double>(row), cell.width, cell.height};
    if (!std::isfinite(map.values[i])) {
      svg.hatched(place);
    } else {
      svg.cell(place, colour_of(figure, share_of(figure, map.values[i])),
               fmt::format("{} → {}: {}", map.rows[i / across], map.columns[i % across],
                           format_fixed(map.values[i], 3)));
    }
  }
}

/// What stands inside the cells, in the ink that can be read there.
void draw_words(Svg& svg, const MapFigure& figure, const Map& map, const Box& box,
                const CellSize& cell) {
  const std::size_t across = map.columns.size();
  for (std::size_t i = 0; i < std::min(map.words.size(), map.values.size()); ++i) {
    if (!std::isfinite(map.values[i])) continue;
    const bool dark = is_dark(colour_of(figure, share_of(figure, map.values[i])));
    const std::string_view ink = colour(dark ? Ink::paper : Ink::ink);
    const double x = box.x + cell.width * (static_cast<double>(i % across) + 0.5);
    const std::size_t row = i / across;
    const double y = box.y + cell.height * (static_cast<double>(row) + 0.5);
    const bool two = i < map.notes.size() && !map.notes[i].empty() && !map.words[i].empty();
    svg.text(x, y + (two ? -2 : 4), fitted(map.words[i], kTextSize, cell.width - 6),
             {.size = kTextSize, .anchor = Anchor::middle, .bold = true, .colour = ink});
    if (i < map.notes.size())
      svg.sourced_text(x, y + (two ? 11 : 4), fitted_text(map.notes[i], kLabelSize, cell.width - 6),
                       {.size = kLabelSize, .anchor = Anchor::middle, .colour = ink});
  }
}

/// A large map as one picture.
void draw_picture(Svg& svg, const MapFigure& figure, const Map& map, const Box& box) {
  std::vector<unsigned> palette;
  for (int i = 0; i <= kColours; ++i) {
    const double share = static_cast<double>(i) / kColours;
    palette.push_back(rgb_of(colour_of(figure, figure.diverges ? 2 * share - 1 : share)));
  }
  palette.push_back(rgb_of(colour(Ink::masked)));
  palette.push_back(rgb_of(colour(Ink::paper)));
  std::vector<std::uint8_t> pixels;
  for (std::size_t i = 0; i < map.values.size(); ++i) {
    const double value = map.values[i];
    double share = std::isfinite(value) ? share_of(figure, value) : 0;
    if (figure.diverges) share = (share + 1) / 2;
    // Hatched here too: a stripe in every fourth diagonal.
    const bool stripe = (i / map.columns.size() + i % map.columns.size()) % 4 == 0;
    pixels.push_back(static_cast<std::uint8_t>(std::isfinite(value) ? std::lround(share * kColours)
                                                                    : kColours + (stripe ? 1 : 2)));
  }
  svg.image(box, png_file(map.columns.size(), map.rows.size(), pixels, palette));
}

/// Every n-th label, so that they do not touch; of many, fewer.
std::size_t stride_of(const std::vector<std::string>& names, double cell, double size) {
  const double needed = size * (names.size() > kMostCells ? 2.2 : 0.95);
  return static_cast<std::size_t>(std::max(1.0, std::ceil(needed / cell)));
}

/// As large as the room between two names allows; a name may stand for several rows.
double label_size(const std::vector<std::string>& names, double cell) {
  const auto named = [](const std::string& name) { return !name.empty(); };
  const auto first = std::ranges::find_if(names, named);
  if (first == names.end()) return kLabelSize;
  const auto second = std::find_if(first + 1, names.end(), named);
  return std::clamp(cell * static_cast<double>(second - first), 6.5, kLabelSize);
}

void draw_row_labels(Svg& svg, const Map& map, const Box& box, double cell) {
  const double size = label_size(map.rows, cell);
  const std::size_t every = stride_of(map.rows, cell, size);
  for (std::size_t i = 0, next = 0; i < map.rows.size(); ++i) {
    if (i < next || map.rows[i].empty()) continue;
    svg.text(box.x - 4, box.y + cell * (static_cast<double>(i) + 0.5) + size * 0.36, map.rows[i],
             {.size = size, .anchor = Anchor::end});
    next = i + every;
  }
}

void draw_column_labels(Svg& svg, const Map& map, const Box& box, double cell) {
  const double size = label_size(map.columns, cell);
  const bool turn = names_are_turned(map, cell);
  const std::size_t every = turn ? stride_of(map.columns, cell, size) : 1;
  const double bottom = box.y + box.height;
  for (std::size_t i = 0, next = 0; i < map.columns.size(); ++i) {
    if (i < next || map.columns[i].empty()) continue;
    next = i + every;
    const double x = box.x + cell * (static_cast<double>(i) + 0.5);
    if (turn) {
      svg.text(x + size * 0.36, bottom + 5, map.columns[i],
               {.size = size, .anchor = Anchor::end, .turn = -90});
    } else {
      svg.text(x, bottom + 11, map.columns[i], {.size = size, .anchor = Anchor::middle});
    }
  }
}

/// The rows above the split are told apart by a bar at their right and a line below them.
void draw_split(Svg& svg, const Map& map, const Box& box, double cell) {
  if (map.split == 0 || map.split > map.rows.size()) return;
  const double end = box.y + cell * static_cast<double>(map.split);
  svg.box({box.x + box.width + 2, box.y, 4, end - box.y}, Ink::s1);
  svg.line(box.x, end, box.x + box.width + 6, end, {.ink = Ink::s1, .width = 1.4});
}

void draw_map(Svg& svg, const MapFigure& figure, std::size_t index, const MapLayout& layout,
              std::pair<double, double> place) {
  const auto [x, y] = place;
  const Map& map = figure.maps[index];
  const CellSize& cell = layout.cells[index];
  const Box box{x, y, cell.width * static_cast<double>(map.columns.size()),
                cell.height * static_cast<double>(map.rows.size())};
  if (box.width <= 0 || box.height <= 0) return;
  const double room = layout.step - layout.left - 4;
  double title = y - 5;
  if (!map.note.empty()) {
    svg.sourced_text(x, title, fitted_text(map.note, kLabelSize, room),
                     {.size = kLabelSize, .ink = Ink::muted});
    title -= 12;
  }
  svg.text(x, title, fitted(map.title, kTextSize, room), {.size = kTextSize, .bold = true});
  const bool fine = std::min(cell.width, cell.height) < kFineCell;  // seams would show
  if (fine || map.rows.size() > kMostCells || map.columns.size() > kMostCells) {
    draw_picture(svg, figure, map, box);
  } else {
    draw_cells(svg, figure, map, box, cell);
    draw_words(svg, figure, map, box, cell);
  }
  svg.frame(box, {.ink = Ink::masked, .width = 0.8});
  draw_row_labels(svg, map, box, cell.height);
  draw_column_labels(svg, map, box, cell.width);
  draw_split(svg, map, box, cell.height);
  const double below = names_are_turned(map, cell.width) ? widest(map.columns) + 20 : 25;
  svg.text(x + box.width / 2, y + box.height + below, figure.column_label,
           {.size = kLabelSize, .ink = Ink::muted, .anchor = Anchor::middle});
  svg.text(x - widest(map.rows) - 10, y + box.height / 2, figure.row_label,
           {.size = kLabelSize, .ink = Ink::muted, .anchor = Anchor::middle, .turn = -90});
}

/// The colour bar, its ticks, and what hatching means.
void draw_key(Svg& svg, const MapFigure& figure, double y) {
  constexpr int kPieces = 50;
  const double x = kMargin + text_width(figure.value_label, kTextSize) + 10;
  svg.text(kMargin, y + kLegendHeight, figure.value_label, {.size = kTextSize});
  for (int i = 0; i < kPieces; ++i) {
    const double share = (static_cast<double>(i) + 0.5) / kPieces;
    svg.cell({x + kBarWidth * i / kPieces, y, kBarWidth / kPieces + (i + 1 < kPieces ? 1 : 0),
              kLegendHeight},
             colour_of(figure, figure.diverges ? 2 * share - 1 : share));
  }
  svg.frame({x, y, kBarWidth, kLegendHeight}, {.ink = Ink::masked, .width = 0.8});
  Axis axis(AxisKind::linear, figure.diverges ? -figure.most : 0, figure.most, false);
  axis.lay_out(x, x + kBarWidth);
  for (const Tick& tick : axis.ticks(figure.style, figure.diverges ? 5 : 3))
    svg.text(axis(tick.value), y + kLegendHeight + 12, tick.text,
             {.size = kLabelSize, .ink = Ink::muted, .anchor = Anchor::middle, .scale = true});
  const bool masked = std::ranges::any_of(figure.maps, [](const Map& map) {
    return std::ranges::any_of(map.values, [](double value) { return !std::isfinite(value); });
  });
  if (!masked) return;
  svg.hatched({x + kBarWidth + 34, y - 1, 18, 11});
  svg.text(x + kBarWidth + 58, y + kLegendHeight, "masked or not measured", {.size = kTextSize});
}

}  // namespace

std::string draw(const MapFigure& figure) {
  const MapLayout layout = layout_of(figure);
  const double key = heading_height(figure.text, {}, figure.width) + 2;
  const double top = key + kLegendHeight + 22;
  Svg svg(figure.width, top + layout.height + caption_height(figure.text, figure.width) + 8);
  draw_heading(svg, figure.text, {});
  draw_key(svg, figure, key);
  for (std::size_t i = 0; i < figure.maps.size(); ++i) {
    const Map& map = figure.maps[i];
    const std::size_t row = i / layout.per_row;
    const double y = top + layout.tops[row];
    draw_map(svg, figure, i, layout,
             {kMargin + layout.step * static_cast<double>(i % layout.per_row) + layout.left, y});
    if (i % layout.per_row == 0 && row < figure.map_rows.size())
      svg.text(kMargin, y - above_of(map) - 6, figure.map_rows[row], {.size = 12, .bold = true});
  }
  draw_caption(svg, figure.text);
  return svg.finish(figure.text.title, figure.text.subtitle + " " + figure.text.caption);
}

}  // namespace heddle::report
