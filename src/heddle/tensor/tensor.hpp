// Tensor: a value. Copying shares the numbers; nothing but its maker may write them.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include "heddle/base/check.hpp"
#include "heddle/base/index.hpp"
#include "heddle/base/memory/pool.hpp"
#include "heddle/tensor/shape.hpp"
#include "heddle/tensor/view.hpp"

namespace heddle {

enum class DType : std::uint8_t { f32, f64 };

template <class T>
constexpr DType dtype_of() {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>);
  return std::is_same_v<T, float> ? DType::f32 : DType::f64;
}

class Tensor {
 public:
  Tensor() = default;

  /// Numbers not set yet: for a maker that writes every one of them.
  static Tensor uninitialised(const Shape& shape, DType dtype) {
    Tensor t;
    t.shape_ = shape;
    t.dtype_ = dtype;
    t.block_ = BlockRef(t.bytes());
    return t;
  }
  static Tensor zeros(const Shape& shape, DType dtype) {
    Tensor t = uninitialised(shape, dtype);
    std::memset(t.block_.bytes(), 0, t.bytes());
    return t;
  }

  const Shape& shape() const { return shape_; }
  DType dtype() const { return dtype_; }
  Index dim(int axis) const { return shape_[axis]; }
  int rank() const { return shape_.rank(); }
  Index size() const { return shape_.size(); }
  std::size_t bytes() const {
    return to_size(size()) * (dtype_ == DType::f32 ? sizeof(float) : sizeof(double));
  }
  bool empty() const { return !block_; }
  /// Whether these are the other's own numbers, not only equal ones.
  bool is(const Tensor& other) const {
    return !empty() && block_.bytes() == other.block_.bytes() && offset_ == other.offset_;
  }
  /// Nobody else holds these numbers.
  bool unique() const { return block_.unique(); }

  template <class T>
  const T* data() const {
    return at<T>();
  }
  template <class T>
  std::span<const T> flat() const {
    return {at<T>(), to_size(size())};
  }
  /// Writable only while nobody else holds these numbers.
  template <class T>
  T* write() {
    check(block_.unique(), "write: the tensor {} is shared", shape_);
    return at<T>();
  }
  /// Writable though others hold it too: for owners of a flat buffer that hand out views of it.
  template <class T>
  T* write_shared() const {
    return at<T>();
  }

  /// All leading axes folded into rows; the last axis is the columns.
  template <class T>
  Matrix<const T> rows() const {
    return matrix(at<T>(), size() / dim(-1), dim(-1));
  }
  template <class T>
  Matrix<T> write_rows() {
    return matrix(write<T>(), size() / dim(-1), dim(-1));
  }

  Tensor reshaped(const Shape& shape) const {
    check<ShapeError>(shape.size() == size(), "reshape: {} does not hold the {} numbers of {}",
                      shape, size(), shape_);
    Tensor t = *this;
    t.shape_ = shape;
    return t;
  }
  /// A window of `shape` that starts `offset` numbers into this one and shares its numbers.
  Tensor window(Index offset, const Shape& shape) const {
    check<ShapeError>(offset >= 0 && offset + shape.size() <= size(),
                      "window: {} at {} does not fit in {}", shape, offset, shape_);
    Tensor t = *this;
    t.shape_ = shape;
    t.offset_ = offset_ + offset;
    return t;
  }

 private:
  template <class T>
  T* at() const {
    check<ShapeError>(dtype_of<T>() == dtype_, "tensor {}: read as another type than its own",
                      shape_);
    return reinterpret_cast<T*>(block_.bytes()) + offset_;
  }

  Shape shape_;
  DType dtype_ = DType::f32;
  Index offset_ = 0;  // in numbers, not bytes
  BlockRef block_;
};

}  // namespace heddle
