// What a task is called where people read it.
#pragma once

#include <string>

#include "heddle/config/config.hpp"

namespace heddle {

/// "reverse"; of a file its name without folders: "dates.csv".
std::string task_title(const TaskConfig& task);

}  // namespace heddle
