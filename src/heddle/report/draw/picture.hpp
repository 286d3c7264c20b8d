// PNG files beside SVG files, drawn by rsvg-convert where it is installed.
#pragma once

#include <string>
#include <vector>

namespace heddle::report {

/// FILE.png of FILE.svg.
std::string picture_path(const std::string& svg_path);

/// Draws FILE.png beside each FILE.svg at print resolution; says what kept it from doing so.
std::string draw_pictures(const std::vector<std::string>& svg_paths);

/// Draws this SVG text as the PNG file `png_path`, whole or not at all; FileError where it cannot.
void draw_picture(const std::string& svg, const std::string& png_path);

}  // namespace heddle::report
