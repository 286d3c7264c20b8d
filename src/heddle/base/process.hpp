// Other programs: started, and waited for. The only place that starts any.
#pragma once

#include <string>
#include <vector>

namespace heddle {

/// The exit code of a program that could not be started.
inline constexpr int kNotStarted = 127;

/// Runs each call (a program found on the PATH and its words) with no input and its output thrown
/// away, a few at once; the exit code of each, kNotStarted, or 128 + the signal that ended it.
std::vector<int> run_programs(const std::vector<std::vector<std::string>>& calls);

}  // namespace heddle
