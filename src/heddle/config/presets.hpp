// Named configurations.
#pragma once

#include <span>
#include <string_view>

#include "heddle/config/config.hpp"

namespace heddle {

struct Preset {
  std::string_view name;
  std::string_view help;
  Config (*make)() = nullptr;
};
/// Those of one task.
std::span<const Preset> presets(TaskKind task);

/// The preset of sortedness that nothing trains: its weights are written by hand.
inline constexpr std::string_view kHandBuilt = "hand-built";

/// The task's configuration of that name; UsageError with the nearest known name.
Config preset(std::string_view name, TaskKind task = TaskKind::addition);

}  // namespace heddle
