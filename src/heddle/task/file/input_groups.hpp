// Examples with equal inputs, brought together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "heddle/task/file/example_set.hpp"

namespace heddle {

/// Groups stand in an order that depends on their inputs' texts and a seed alone, not on the file's
/// order. Within a group equal answers stand together, equals in the file's order.
class InputGroups {
 public:
  InputGroups(const ExampleSet& set, std::uint64_t seed);

  Index size() const { return std::ssize(starts_) - 1; }
  /// The examples of one group.
  std::span<const std::int32_t> operator[](Index group) const;

 private:
  std::vector<std::int32_t> order_;
  std::vector<std::int32_t> starts_;  // [size + 1] into order_
};

/// Whether two examples have the same output or label.
bool same_answer(const ExampleSet& set, Index a, Index b);

}  // namespace heddle
