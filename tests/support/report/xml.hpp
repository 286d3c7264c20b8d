// A small reader of XML: well formed or not, and what its elements say.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::testing {

struct XmlElement {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;  ///< directly inside it
};

/// All elements in the order they open; `fault` says what is wrong, empty if all is well formed
/// (tags close in order, attributes are quoted and differ, no stray < or &, one root).
struct XmlFile {
  std::vector<XmlElement> elements;
  std::string fault;
};
XmlFile read_xml(std::string_view text);

}  // namespace heddle::testing
