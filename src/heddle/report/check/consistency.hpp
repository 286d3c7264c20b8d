// Whether a rendered report says what its results say. Reads the finished text, not the content it
// was made from: every number must be where results.json has it, to the printed precision.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heddle/record/tree.hpp"

namespace heddle::report {

/// What does not fit, one line each; empty if all does. Every marked piece of the page is worked
/// out again from the paths that it names (docs/report.md lists the derivations); a digit outside
/// a marked piece, a rank out of order and a table that is not sorted as it says are faults too; so
/// are a value among the data that the page's script reads which the results do not have, a
/// measured number in a figure that says no source, and a reproduction whose words are not its
/// members' median (reproductions.hpp).
std::vector<std::string> check_page(std::string_view html, const Json& results);

/// The same of one figure's file: every number in it that is not an axis's.
std::vector<std::string> check_figure(std::string_view svg, const Json& results);

/// The Markdown file has the same numbers as the page, in the same order.
std::vector<std::string> check_markdown(std::string_view markdown, std::string_view html);

}  // namespace heddle::report
