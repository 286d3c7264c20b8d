// See shape.hpp.
#include "heddle/task/shape.hpp"

#include "heddle/config/sequences.hpp"
#include "heddle/task/sortedness/sequence.hpp"

namespace heddle {

TaskShape shape_of(const TaskConfig& task) {
  switch (task.name) {
    case TaskKind::sortedness:
      return {.labels = true,
              .words = kValueCount,
              .classes = 2,
              .longest_input = parse_lengths(task.lengths).most};
    case TaskKind::modular:
      return {.labels = true, .words = task.modulus, .classes = task.modulus, .longest_input = 2};
    case TaskKind::reverse:
    case TaskKind::sort: {
      const Index longest = parse_lengths(task.lengths).most;
      return {.words = task.symbols, .longest_input = longest, .longest_output = longest};
    }
    case TaskKind::file:
      return {.labels = task.form == FormKind::labels,
              .words = task.vocabulary,
              .classes = task.classes,
              .longest_input = task.longest_input,
              .longest_output = task.longest_output};
    case TaskKind::addition:
      break;
  }
  throw Error("addition has an encoding of its own");
}

}  // namespace heddle
