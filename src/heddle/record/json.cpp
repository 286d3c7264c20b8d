// See json.hpp.
#include "heddle/record/json.hpp"

namespace heddle {
Json json_of(const Count& count) {
  return {{"correct", count.correct}, {"total", count.total}};
}

Json json_of(const Warning& warning) {
  return {{"step", warning.step}, {"watchdog", warning.watchdog}, {"message", warning.message}};
}

}  // namespace heddle
