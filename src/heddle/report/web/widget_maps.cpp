// The data of maps that are shown one at a time: see widget.hpp.
#include <algorithm>

#include "heddle/base/index.hpp"
#include "heddle/report/web/widget.hpp"
#include "heddle/report/web/widget_json.hpp"

namespace heddle::report {
namespace {

bool has_weights(const SortMap& map) {
  const auto cells = to_size(map.rows * map.columns);
  return !map.values.empty() && map.values.size() == cells &&
         std::ranges::all_of(map.values, [](double value) { return value >= 0 && value <= 1; });
}

}  // namespace

Widget maps_widget(const SortSource& source, const SortExplanation& explanation) {
  Json maps = Json::array();
  for (const SortMap& map : explanation.maps)
    if (has_weights(map))
      maps.push_back({{"from", parent_path(source.path(&map.label))},
                      {"label", map.label},
                      {"note", map.note},
                      {"rows", map.rows},
                      {"columns", map.columns},
                      {"row_names", map.row_names},
                      {"column_names", map.column_names},
                      {"values", packed(map.values)}});
  return {.name = "maps",
          .label = "Maps of attention, one at a time",
          .without = "Reading single weights needs JavaScript; the figure does not.",
          .on_dark = "On a dark page the maps keep their paper: darker still means more attention.",
          .data = maps.empty() ? "" : page_json({{"colours", map_colours()}, {"maps", maps}})};
}

}  // namespace heddle::report
