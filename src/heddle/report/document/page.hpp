// The report as one self-contained page: style, pictures, data and script inside, no network.
#pragma once

#include <string>

#include "heddle/report/document/document.hpp"

namespace heddle::report {

std::string page(const Document& document);

/// The page's style sheet; line colours come from the palette.
std::string page_style();
/// What makes the widgets move, and shows where a number comes from.
std::string page_script();

}  // namespace heddle::report
