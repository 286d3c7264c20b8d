// Rows looked up in tables: token rows plus position rows.
#pragma once

#include <cstdint>

#include "heddle/tensor/view.hpp"

namespace heddle::kernels {

/// y[i] = table[ids[i]] (+ positions[position_ids[i]] unless that table is null).
template <class T>
struct Embedding {
  Matrix<const T> table;
  const std::int32_t* ids = nullptr;  ///< [rows]
  Matrix<const T> positions{};
  const std::int32_t* position_ids = nullptr;  ///< [rows]
  Matrix<T> y;
};
void embedding(const Embedding<float>& args);
void embedding(const Embedding<double>& args);

/// dtable[ids[i]] += dy[i], rows in order, so that the sum has one shape on every machine.
void embedding_backward(Matrix<const float> dy, const std::int32_t* ids, Matrix<float> dtable);
void embedding_backward(Matrix<const double> dy, const std::int32_t* ids, Matrix<double> dtable);

}  // namespace heddle::kernels
