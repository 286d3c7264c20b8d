// See figure_checks.hpp.
#include "tests/support/report/figure_checks.hpp"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "heddle/base/text.hpp"
#include "heddle/report/draw/svg.hpp"
#include "tests/support/report/xml.hpp"

namespace heddle::testing {
namespace {

using report::Box;

double number(const XmlElement& element, const std::string& name, double fallback = 0) {
  const auto found = element.attributes.find(name);
  return found == element.attributes.end() ? fallback
                                           : parse_double(found->second).value_or(std::nan(""));
}

/// Where a text stands, roughly: its box on the paper.
Box box_of(const XmlElement& text) {
  const double size = number(text, "font-size"), x = number(text, "x"), y = number(text, "y");
  const double width = report::text_width(text.text, size) * 0.95, height = 0.72 * size;
  const auto anchor = text.attributes.find("text-anchor");
  double left = x;
  if (anchor != text.attributes.end()) left -= anchor->second == "end" ? width : width / 2;
  if (!text.attributes.contains("transform")) return {left, y - height, width, height};
  const double above = anchor == text.attributes.end() ? width
                       : anchor->second == "end"       ? 0
                                                       : width / 2;
  return {x - height, y - above, height, width};  // turned by −90 degrees
}

bool overlap(const Box& a, const Box& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

}  // namespace

void expect_sound(const report::FileText& file) {
  static const std::set<std::string> kColours = [] {
    const auto all = report::all_colours();
    return std::set<std::string>(all.begin(), all.end());
  }();
  const auto xml = read_xml(file.text);
  ASSERT_EQ(xml.fault, "") << file.path;
  ASSERT_GT(xml.elements.size(), 10u) << file.path;
  const double width = number(xml.elements[0], "width"), height = number(xml.elements[0], "height");
  std::vector<std::pair<std::string, Box>> texts;
  for (const XmlElement& element : xml.elements) {
    for (const char* name : {"fill", "stroke"}) {
      const auto found = element.attributes.find(name);
      const bool named = found != element.attributes.end() && found->second.starts_with('#');
      EXPECT_TRUE(!named || kColours.contains(found->second)) << file.path << " " << name;
    }
    if (element.name != "text") continue;
    const Box box = box_of(element);
    EXPECT_GE(box.x, -1) << file.path << ": " << element.text;
    EXPECT_LE(box.x + box.width, width + 1) << file.path << ": " << element.text;
    EXPECT_GE(box.y, -1) << file.path << ": " << element.text;
    EXPECT_LE(box.y + box.height, height + 1) << file.path << ": " << element.text;
    for (const auto& [other, place] : texts)
      EXPECT_FALSE(overlap(box, place))
          << file.path << ": '" << element.text << "' on '" << other << "'";
    texts.emplace_back(element.text, box);
  }
}

std::vector<report::FileText> only_figures(std::vector<report::FileText> files) {
  std::erase_if(files, [](const report::FileText& file) { return !file.path.ends_with(".svg"); });
  return files;
}

}  // namespace heddle::testing
