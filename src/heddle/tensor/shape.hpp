// Shape: up to six extents, held in place (no heap), printable as [2, 5, 8].
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>
#include <numeric>
#include <string>

#include "heddle/base/check.hpp"
#include "heddle/base/index.hpp"
#include "heddle/tensor/view.hpp"

namespace heddle {

class Shape {
 public:
  static constexpr int kMaxRank = 6;

  Shape() = default;
  Shape(std::initializer_list<Index> extents) : rank_(static_cast<int>(extents.size())) {
    check<ShapeError>(rank_ <= kMaxRank, "a shape has at most {} axes, got {}", kMaxRank, rank_);
    std::ranges::copy(extents, extents_.begin());
  }

  int rank() const { return rank_; }
  Index size() const { return std::accumulate(begin(), end(), Index{1}, std::multiplies<>{}); }
  /// Axes count from the end when negative: shape[-1] is the last extent.
  Index operator[](int axis) const { return extents_[slot(axis)]; }
  Index& operator[](int axis) { return extents_[slot(axis)]; }
  const Index* begin() const { return extents_.data(); }
  const Index* end() const { return extents_.data() + rank_; }
  void push_back(Index extent) {
    check<ShapeError>(rank_ < kMaxRank, "a shape has at most {} axes", kMaxRank);
    extents_[to_size(rank_++)] = extent;
  }

  friend bool operator==(const Shape& a, const Shape& b) { return std::ranges::equal(a, b); }
  /// "[2, 5, 8]", as error messages show it.
  std::string text() const {
    std::string out = "[";
    for (int axis = 0; axis < rank_; ++axis)
      out += (axis ? ", " : "") + std::to_string((*this)[axis]);
    return out + "]";
  }

 private:
  std::size_t slot(int axis) const { return to_size(axis < 0 ? axis + rank_ : axis); }

  std::array<Index, kMaxRank> extents_{};
  int rank_ = 0;
};

}  // namespace heddle

/// Shapes print themselves in messages, and only when there is a message: checks cost nothing.
template <>
struct fmt::formatter<heddle::Shape> {
  constexpr auto parse(format_parse_context& context) { return context.begin(); }
  auto format(const heddle::Shape& shape, format_context& context) const {
    const std::string text = shape.text();
    return std::ranges::copy(text, context.out()).out;
  }
};
