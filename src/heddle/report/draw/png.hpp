// Small PNG files for large maps: one byte a pixel, a palette of colours, no compression.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::report {

/// Pixels row by row, each an index into `palette` (0xrrggbb, at most 256 of them).
std::string png_file(std::size_t width, std::size_t height, const std::vector<std::uint8_t>& pixels,
                     const std::vector<unsigned>& palette);

}  // namespace heddle::report
