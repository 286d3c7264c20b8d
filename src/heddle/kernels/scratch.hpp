// Scratch memory for one call of a kernel, from the pool: nothing is allocated after the first
// time.
#pragma once

#include "heddle/base/index.hpp"
#include "heddle/base/memory/pool.hpp"
#include "heddle/kernels/table.hpp"
#include "heddle/tensor/view.hpp"

namespace heddle::kernels {

class Scratch {
 public:
  explicit Scratch(Index numbers) : block_(to_size(numbers < 1 ? 1 : numbers) * sizeof(float)) {}
  float* data() const { return reinterpret_cast<float*>(block_.bytes()); }

 private:
  BlockRef block_;
};

/// A view as the table's functions want it.
inline RawConstRows raw(Matrix<const float> m) {
  return {.data = m.data, .stride = m.strides[0]};
}
inline RawRows raw(Matrix<float> m) {
  return {.data = m.data, .stride = m.strides[0]};
}

}  // namespace heddle::kernels
