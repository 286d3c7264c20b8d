// Matrix products of other libraries, where this machine has them: found when asked for, never
// linked.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "heddle/tensor/view.hpp"

namespace heddle {

/// c [m, n] = a · b, all by rows; a is [m, k] or, transposed, [k, m]; b likewise.
struct LibraryProduct {
  Index m = 0, k = 0, n = 0;
  const float *a = nullptr, *b = nullptr;
  bool a_transposed = false, b_transposed = false;
  float* c = nullptr;
};

struct ProductLibrary {
  std::string name;
  std::function<void(const LibraryProduct&)> multiply;  ///< on the calling thread alone
};

/// OpenBLAS and oneDNN, those that are there. `missing` is told of the others.
std::vector<ProductLibrary> find_product_libraries(std::vector<std::string>& missing);

}  // namespace heddle
