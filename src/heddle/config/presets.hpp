// Named configurations.
#pragma once

#include <span>
#include <string>
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

/// The task of that name, or `file` for "file:pairs.csv"; UsageError with the names there are, for
/// `setting`.
TaskKind task_named(const std::string& name, const std::string& setting = "TASK");
/// The same as preset() for a task by its name; of "file:pairs.csv" the path is set.
Config preset_of_task(std::string_view preset, const std::string& task);

/// The task's configuration of that name; UsageError with the nearest known name.
Config preset(std::string_view name, TaskKind task = TaskKind::addition);

}  // namespace heddle
