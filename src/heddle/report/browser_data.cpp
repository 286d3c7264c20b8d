// What the attention browser shows: see page.hpp.
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "heddle/record/tree.hpp"
#include "heddle/report/attention.hpp"
#include "heddle/report/label.hpp"
#include "heddle/report/page.hpp"
#include "heddle/report/palette.hpp"

namespace heddle::report {
namespace {

Json module_json(const MemberRecord& member, const AttentionPicture& picture,
                 const AttentionGrid& grid) {
  Json labels = Json::array(), notes = Json::array(), weights = Json::array();
  Json rows, columns;
  for (std::int64_t head = 0; head < grid.heads; ++head) {
    const Map map = head_map(member, picture, grid, head);
    labels.push_back(map.title);
    notes.push_back(map.note);
    rows = map.rows;
    columns = map.columns;
    for (const double weight : map.values)
      weights.push_back(std::isfinite(weight) ? Json(std::round(weight * 1e4) / 1e4) : Json());
  }
  return {{"label", label_of(grid.module)},
          {"heads", grid.heads},
          {"queries", grid.queries},
          {"keys", grid.keys},
          {"rows", rows},
          {"columns", columns},
          {"labels", labels},
          {"notes", notes},
          {"weights", weights}};
}

}  // namespace

std::string browser_data(const MemberRecord& member) {
  constexpr int kShades = 100;
  Json colours = Json::array(), pictures = Json::array();
  for (int i = 0; i <= kShades; ++i)
    colours.push_back(sequential(static_cast<double>(i) / kShades));
  std::size_t start = 0;  // the first single input
  bool found = false;
  for (const AttentionPicture& picture : member.pictures) {
    Json modules = Json::array();
    for (const AttentionGrid& grid : picture.modules)
      modules.push_back(module_json(member, picture, grid));
    if (modules.empty()) continue;
    if (picture.problems == 1 && !found) {
      start = pictures.size();
      found = true;
    }
    const std::string name =
        picture.problems > 1 ? fmt::format("average: {}", picture.name) : picture.name;
    pictures.push_back({{"name", name}, {"output", picture.output}, {"modules", modules}});
  }
  std::string text = Json{{"start", start}, {"colours", colours}, {"pictures", pictures}}.dump();
  // No tag can begin inside the data.
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<'))
    text.replace(at, 1, "\\u003c");
  return text;
}

}  // namespace heddle::report
