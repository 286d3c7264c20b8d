// What a file of examples may hold; more is an error that names the line.
#pragma once

#include <cstddef>

namespace heddle {

struct ExampleLimits {
  static constexpr std::size_t kTokens = 65'536;        ///< different ones
  static constexpr std::size_t kLabels = 4'096;         ///< different ones
  static constexpr std::size_t kLength = 4'096;         ///< tokens of one input or output
  static constexpr std::size_t kTokenBytes = 64;        ///< the text of a token or label
  static constexpr std::size_t kLineBytes = 1'048'576;  ///< a line, or a quoted cell over several
  static constexpr std::size_t kLines = 2'000'000'000;  ///< so that examples are counted in 32 bits
};

/// Bytes of a refused text that an error repeats.
inline constexpr std::size_t kShown = 40;

}  // namespace heddle
