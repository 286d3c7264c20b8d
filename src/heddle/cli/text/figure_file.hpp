// A figure in the format that its file's ending says.
#pragma once

#include <string>

namespace heddle::cli {

/// UsageError unless the path ends with .svg or .png: said before any work.
void check_figure_path(const std::string& path);

/// Writes the figure, which is SVG text, whole or not at all. FileError where that cannot be, or
/// where a .png is wanted and nothing is there that draws it.
void write_figure(const std::string& path, const std::string& svg);

}  // namespace heddle::cli
