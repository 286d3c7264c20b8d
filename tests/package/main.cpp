// Uses an installed Heddle as a stranger would: prints its version after one round of tensors.
#include <cstdio>

#include "heddle/base/version.hpp"
#include "heddle/tensor/tensor.hpp"

int main() {
  const heddle::Tensor zeros = heddle::Tensor::zeros({2, 3}, heddle::DType::f32);
  if (zeros.size() != 6 || zeros.flat<float>()[5] != 0.0F) return 1;
  std::printf("heddle %s\n", heddle::kVersion.data());
  return 0;
}
