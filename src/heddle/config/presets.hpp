// Named configurations.
#pragma once

#include <span>
#include <string_view>

#include "heddle/config/config.hpp"

namespace heddle {

struct Preset {
  std::string_view name;
  std::string_view help;
};
std::span<const Preset> presets();

/// The task's configuration of that name; UsageError with the nearest known name.
Config preset(std::string_view name, TaskKind task = TaskKind::addition);

}  // namespace heddle
