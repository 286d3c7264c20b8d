// Small helpers for the data of the page's moving parts.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "heddle/record/tree.hpp"
#include "heddle/report/draw/base64.hpp"
#include "heddle/report/draw/palette.hpp"
#include "heddle/report/web/widget.hpp"

namespace heddle::report {

/// "members.0" of "members.0.recipe": records are known by the path of one of their fields.
inline std::string parent_path(const std::string& path) {
  return path.substr(0, path.rfind('.'));
}

/// One field of every row.
template <class Row, class Get>
Json column(const std::vector<Row>& rows, Get get) {
  Json values = Json::array();
  for (const Row& row : rows) values.push_back(to_tree(std::invoke(get, row)));
  return values;
}

/// Weights as letters: ten-thousandths, two bytes each, the lower one first; no number is masked.
inline std::string packed(const std::vector<double>& weights) {
  std::string bytes;
  for (const double weight : weights) {
    const unsigned number = std::isfinite(weight)
                                ? static_cast<unsigned>(std::lround(weight * kWeightUnit))
                                : kMaskedWeight;
    bytes += static_cast<char>(number & 0xffU);
    bytes += static_cast<char>((number >> 8U) & 0xffU);
  }
  return base64(bytes);
}

/// White to dark, as the maps of the figures.
inline Json map_colours() {
  constexpr int kShades = 100;
  Json colours = Json::array();
  for (int i = 0; i <= kShades; ++i)
    colours.push_back(sequential(static_cast<double>(i) / kShades));
  return colours;
}

/// JSON that can stand inside a page: no tag can begin in it.
inline std::string page_json(const Json& data) {
  std::string text;
  for (const char c : data.dump()) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace heddle::report
