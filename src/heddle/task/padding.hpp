// The token that stands for nothing, whatever the task.
#pragma once

#include <cstdint>

#include "heddle/config/config.hpp"

namespace heddle {

/// What fills up the rows of a batch.
std::int32_t pad_of(const Config& config);

}  // namespace heddle
