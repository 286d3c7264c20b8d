// See padding.hpp.
#include "heddle/task/padding.hpp"

#include "heddle/task/shape.hpp"

namespace heddle {

std::int32_t pad_of(const Config& config) {
  return shape_of(config.task).pad();
}

}  // namespace heddle
