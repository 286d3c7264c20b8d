// How many operations the kernels have really done: what a benchmark sets beside the count on
// paper.
#pragma once

#include "heddle/tensor/view.hpp"

namespace heddle::kernels {

/// Adds to the calling thread's count: one addition, no other thread waits.
void count_operations(double operations);

/// The counts of all threads that ever counted, together. Exact while none of them works.
double counted_operations();

/// 2 for every multiply-add of a product [m, k] · [k, n].
inline double product_operations(Index m, Index k, Index n) {
  return 2.0 * static_cast<double>(m) * static_cast<double>(k) * static_cast<double>(n);
}

}  // namespace heddle::kernels
