// Whether a drawn figure can be printed.
#pragma once

#include <vector>

#include "heddle/report/document/csv.hpp"

namespace heddle::testing {

/// Expects XML that is well formed, colours of the palette, every text on the paper and no text on
/// another.
void expect_sound(const report::FileText& file);

/// The SVG files among these.
std::vector<report::FileText> only_figures(std::vector<report::FileText> files);

}  // namespace heddle::testing
