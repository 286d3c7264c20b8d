// See columns.hpp.
#include "heddle/lens/addition/columns.hpp"

#include "heddle/base/index.hpp"

namespace heddle {

int digits_of(const TaskShape& shape) {
  return static_cast<int>(shape.longest_output) - 1;
}

std::string position_name(const TaskShape& shape, Stream stream, Index position) {
  if (stream == Stream::target)
    return position == 0 && !shape.start_counts() ? "BOS"
                                                  : fmt::format("s{}", shape.read_column(position));
  const Index column = shape.input_columns[to_size(position)];
  if (column < 0) return "+";
  return fmt::format("{}{}", position < digits_of(shape) ? "a" : "b", column);
}

std::vector<std::string> position_names(const TaskShape& shape, Stream stream) {
  const Index length = stream == Stream::target ? shape.target_length() : shape.longest_input;
  std::vector<std::string> names;
  for (Index position = 0; position < length; ++position)
    names.push_back(position_name(shape, stream, position));
  return names;
}

Index position_of_column(const TaskShape& shape, Index column) {
  for (Index position = 0; position < shape.target_length(); ++position)
    if (shape.decoded_column(position) == column) return position;
  return -1;
}

std::vector<Index> patchable_columns(const TaskShape& shape) {
  std::vector<Index> columns;
  for (Index column = 0; column < digits_of(shape); ++column)
    if (position_of_column(shape, column + 1) >= 0) columns.push_back(column);
  return columns;
}

}  // namespace heddle
