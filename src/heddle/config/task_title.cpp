// See task_title.hpp.
#include "heddle/config/task_title.hpp"

#include <filesystem>

namespace heddle {

std::string task_title(const TaskConfig& task) {
  return task.from_file() ? std::filesystem::path(task.path).filename().string()
                          : field_text(task.name);
}

}  // namespace heddle
