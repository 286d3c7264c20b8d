// One figure of every kind, on data that is written down here.
#pragma once

#include <vector>

#include "heddle/report/document/csv.hpp"
#include "heddle/report/draw/chart.hpp"
#include "heddle/report/draw/heatmap.hpp"
#include "heddle/report/draw/scatter.hpp"

namespace heddle::testing {

report::LineFigure golden_lines(report::AxisKind x, report::AxisKind y);
report::BarFigure golden_bars(bool dots);
report::ScatterFigure golden_scatter();
/// Attention of that many queries over that many keys; triangular: the future is masked.
report::MapFigure golden_map(std::size_t queries, std::size_t keys, bool triangular);

/// Each of them drawn, and the figures that are made of them; the path is the name in
/// tests/golden/figures.
std::vector<report::FileText> golden_figures();

}  // namespace heddle::testing
