// Cross-entropy of rows of logits, forward and backward in one pass.
#pragma once

#include <cstdint>

#include "heddle/tensor/view.hpp"

namespace heddle::kernels {

/// A target that bears no loss: its row counts for nothing and gets a zero gradient.
inline constexpr std::int32_t kNoTarget = -1;

/// loss[i] = ln Σ exp(logits[i]) − logits[i][target];  dlogits = weight · (softmax(logits) −
/// onehot).
template <class T>
struct CrossEntropy {
  Matrix<const T> logits;
  const std::int32_t* targets = nullptr;  ///< [rows], kNoTarget = no loss
  T weight = 1;                           ///< usually 1 / number of loss-bearing rows
  T* loss = nullptr;                      ///< [rows], 0 where there is no target
  Matrix<T> dlogits{};                    ///< may be null: forward only
};
void cross_entropy(const CrossEntropy<float>& args);
void cross_entropy(const CrossEntropy<double>& args);

/// The column of the largest logit of each row; the first of equals. NaN never wins.
void argmax(Matrix<const float> logits, std::int32_t* best);
void argmax(Matrix<const double> logits, std::int32_t* best);

}  // namespace heddle::kernels
