// Words of a command line that a reader can paste.
#pragma once

#include <string>

namespace heddle {

/// A word as a POSIX shell takes it.
std::string shell_quoted(const std::string& word);

}  // namespace heddle
