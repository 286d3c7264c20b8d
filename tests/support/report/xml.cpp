// See xml.hpp.
#include "tests/support/report/xml.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace heddle::testing {
namespace {

bool entities_are_fine(std::string_view text) {
  for (std::size_t at = text.find('&'); at != std::string_view::npos; at = text.find('&', at + 1)) {
    const std::string_view rest = text.substr(at);
    if (std::ranges::none_of(std::array{"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"},
                             [&](const char* entity) { return rest.starts_with(entity); }))
      return false;
  }
  return true;
}

/// Takes a name off the front.
std::string take_name(std::string_view& text) {
  const auto end = std::ranges::find_if(text, [](unsigned char c) {
    return std::isalnum(c) == 0 && c != '-' && c != ':' && c != '_';
  });
  const std::string name(text.begin(), end);
  text.remove_prefix(name.size());
  return name;
}

/// Reads name and attributes; false if they are malformed.
bool read_tag(std::string_view tag, XmlElement& element) {
  element.name = take_name(tag);
  if (element.name.empty()) return false;
  while (tag.find_first_not_of(" \n") != std::string_view::npos) {
    const std::size_t start = tag.find_first_not_of(" \n");
    if (start == 0) return false;
    tag.remove_prefix(start);
    const std::string name = take_name(tag);
    if (name.empty() || !tag.starts_with("=\"")) return false;
    tag.remove_prefix(2);
    const std::string_view value = tag.substr(0, tag.find('"'));
    if (value.size() == tag.size() || value.find('<') != std::string_view::npos ||
        !entities_are_fine(value))
      return false;
    if (!element.attributes.emplace(name, value).second) return false;
    tag.remove_prefix(value.size() + 1);
  }
  return true;
}

}  // namespace

XmlFile read_xml(std::string_view text) {
  XmlFile file;
  std::vector<std::size_t> open;
  int roots = 0;
  while (!text.empty()) {
    const std::size_t at = text.find('<');
    const std::string words(text.substr(0, at));
    if (!entities_are_fine(words)) return file.fault = "a stray & in " + words, file;
    if (!open.empty()) file.elements[open.back()].text += words;
    if (open.empty() && words.find_first_not_of(" \n") != std::string::npos)
      return file.fault = "text outside", file;
    if (at == std::string_view::npos) break;
    const std::size_t end = text.find('>', at);
    if (end == std::string_view::npos) return file.fault = "a tag without end", file;
    std::string tag(text.substr(at + 1, end - at - 1));
    text.remove_prefix(end + 1);
    if (tag.starts_with('/')) {
      if (open.empty() || file.elements[open.back()].name != tag.substr(1))
        return file.fault = "closes wrongly: " + tag, file;
      open.pop_back();
      continue;
    }
    const bool empty = tag.ends_with('/');
    if (empty) tag.pop_back();
    XmlElement element;
    if (!read_tag(tag, element)) return file.fault = "malformed: " + tag, file;
    if (open.empty() && ++roots > 1) return file.fault = "two roots", file;
    file.elements.push_back(element);
    if (!empty) open.push_back(file.elements.size() - 1);
  }
  if (!open.empty()) file.fault = "not closed: " + file.elements[open.back()].name;
  return file;
}

}  // namespace heddle::testing
