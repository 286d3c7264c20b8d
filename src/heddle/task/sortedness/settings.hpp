// The sortedness task as a configuration describes it.
#pragma once

#include "heddle/config/config.hpp"
#include "heddle/task/sortedness/data.hpp"

namespace heddle {

/// UsageError for lengths or kinds that cannot be read.
SortednessSettings sortedness_settings(const Config& config, const RowLayout& layout);

}  // namespace heddle
