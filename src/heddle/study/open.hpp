// A study that stands in a folder, whichever it is: for those who share its members.
#pragma once

#include <string>

#include "heddle/study/study.hpp"

namespace heddle {

/// The study whose plan is in the folder. UsageError for a folder that is no study, or of another
/// version or instruction set; FileError for a damaged one.
Study open_study(const std::string& folder);

}  // namespace heddle
