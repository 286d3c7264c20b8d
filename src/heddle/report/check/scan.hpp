// Reading rendered reports: the marked pieces of a page, its words, and the numbers in a text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::report {

/// A stretch of a page's text and where it stands.
struct Scanned {
  std::string text;
  std::string how;  ///< empty: not marked
  std::vector<std::string> from;
  int table = -1;  ///< which table of the page; −1: none
  int falls = -1;  ///< the column that the table says falls
  int row = -1, column = -1;
  bool figure = false;  ///< inside an SVG figure
};

/// The text of a page, without scripts, styles and the table of contents; or of a figure's file. Of
/// figures all texts but the numbers of axes.
std::vector<Scanned> scan_page(std::string_view html);

/// The figures' files that a page leads to: "figures/defect.svg".
std::vector<std::string> figures_of(std::string_view html);

/// A printed number: −1,234.50 has 2 decimals, 7.44e−05 has 7.
struct PrintedNumber {
  double value = 0;
  int decimals = 0;
  std::string text;  ///< normalised: no thousands commas, ASCII minus
};
std::vector<PrintedNumber> numbers_in(std::string_view text);

/// The words of a Markdown file: no link targets, anchors, backslashes.
std::string markdown_words(std::string_view markdown);

}  // namespace heddle::report
