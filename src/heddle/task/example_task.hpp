// Former names of a task's parts, until their last users have gone.
#pragma once

#include "heddle/task/example_list.hpp"
#include "heddle/task/registry.hpp"

namespace heddle {

using ExampleTask = Task;

inline std::unique_ptr<Task> make_example_task(const Config& config,
                                               const ReadProgress& progress = {}) {
  return make_task(config, {.progress = progress});
}

}  // namespace heddle
