// The report as one self-contained page: style, pictures, data and script inside, no network.
#pragma once

#include <string>

#include "heddle/report/document/document.hpp"

namespace heddle::report {

std::string page(const Document& document);

/// The palette's colours as a style sheet, for paper and for the dark page.
std::string page_colours();

}  // namespace heddle::report
