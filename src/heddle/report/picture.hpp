// PNG files beside SVG files, drawn by rsvg-convert where it is installed.
#pragma once

#include <string>
#include <vector>

namespace heddle::report {

/// Draws FILE.png beside each FILE.svg at print resolution; says what kept it from doing so.
std::string draw_pictures(const std::vector<std::string>& svg_paths);

}  // namespace heddle::report
