// A non-owning, strided window on numbers: the only thing kernels ever see.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <span>

#include "heddle/base/index.hpp"

namespace heddle {

using Index = std::ptrdiff_t;

template <class T, std::size_t Rank>
struct View {
  T* data = nullptr;
  std::array<Index, Rank> shape{};
  std::array<Index, Rank> strides{};

  template <std::convertible_to<Index>... I>
    requires(sizeof...(I) == Rank)
  T& operator()(I... i) const {
    const std::array<Index, Rank> at{static_cast<Index>(i)...};
    Index offset = 0;
    for (std::size_t axis = 0; axis < Rank; ++axis) offset += at[axis] * strides[axis];
    return data[offset];
  }

  /// Row `i` of a matrix whose rows are contiguous.
  std::span<T> row(Index i) const
    requires(Rank == 2)
  {
    return {data + i * strides[0], to_size(shape[1])};
  }
  /// What may be written may be read.
  operator View<const T, Rank>() const  // NOLINT(google-explicit-constructor)
    requires(!std::is_const_v<T>)
  {
    return {data, shape, strides};
  }
};

/// Rows are contiguous (strides[1] == 1); strides[0] may be larger than the width.
template <class T>
using Matrix = View<T, 2>;

/// A dense or row-strided matrix: rows × columns, `stride` numbers from row to row.
template <class T>
Matrix<T> matrix(T* data, Index rows, Index columns, Index stride = -1) {
  return {data, {rows, columns}, {stride < 0 ? columns : stride, 1}};
}

}  // namespace heddle
