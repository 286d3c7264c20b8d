// The colours of the page's figures and widgets: see page.hpp.
#include <fmt/format.h>

#include "heddle/report/document/page.hpp"
#include "heddle/report/draw/palette.hpp"

namespace heddle::report {
namespace {

/// The figures' colours as the widgets know them: "--s0:#0060a8;…".
std::string ink_names(bool dark) {
  std::string names;
  for (int i = static_cast<int>(Ink::grid); i <= static_cast<int>(Ink::s5); ++i) {
    const auto ink = static_cast<Ink>(i);
    names +=
        fmt::format("--{}:{};", class_name(ink), dark ? dark_colour(ink) : report::colour(ink));
  }
  return fmt::format(":root{{{}}}\n", names);
}

}  // namespace

std::string page_colours() {
  std::string style =
      ink_names(false) + "@media screen and (prefers-color-scheme:dark){\n" + ink_names(true);
  for (int i = 0; i <= static_cast<int>(Ink::s5); ++i) {
    const auto ink = static_cast<Ink>(i);
    if (ink == Ink::masked) continue;
    style +=
        fmt::format(".f-{0}{{fill:{1}}}.l-{0}{{stroke:{1}}}\n", class_name(ink), dark_colour(ink));
  }
  return style + "}\n";
}

}  // namespace heddle::report
