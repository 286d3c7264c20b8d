// See pool_rows.hpp.
#include "tests/support/ops/pool_rows.hpp"

#include <gtest/gtest.h>

#include "heddle/autograd/gradcheck.hpp"
#include "heddle/base/index.hpp"
#include "tests/support/ops/op_cases.hpp"
#include "tests/support/tensors.hpp"

namespace heddle::testing {

Tensor tensor_of(const Shape& shape, const std::vector<double>& numbers) {
  Tensor t = Tensor::uninitialised(shape, DType::f64);
  std::ranges::copy(numbers, t.write<double>());
  return t;
}

Tensor turned_round(const Tensor& x) {
  const Index length = x.dim(1), width = x.size() / x.dim(0) / length;
  Tensor y = Tensor::uninitialised(x.shape(), x.dtype());
  dispatch(x.dtype(), [&]<class T>() {
    for (Index i = 0; i < x.dim(0) * length; ++i) {
      const Index from = i / length * length + (length - 1 - i % length);
      std::copy_n(x.data<T>() + from * width, width, y.write<T>() + i * width);
    }
  });
  return y;
}

void expect_padding_ignored(PoolOp pool, const Shape& shape) {
  const Tensor tokens = random_tensor(shape, "tokens", 2);
  const Index n = shape[1], width = shape.size() / n;
  Shape wide = shape;
  wide[1] = 2 * n;
  Tensor padded = Tensor::uninitialised(wide, DType::f64);
  std::fill_n(padded.write<double>(), padded.size(), std::nan(""));
  std::vector<std::uint8_t> valid(to_size(2 * n), 0);
  for (Index t = 0; t < n; ++t) {
    valid[to_size(2 * t)] = 1;
    std::copy_n(tokens.data<double>() + t * width, width, padded.write<double>() + 2 * t * width);
  }
  const auto run = [&](const Tensor& x, const std::uint8_t* mask) {
    const std::vector<Tensor> leaves{x};
    std::vector<Tensor> both;
    const auto gradients = tape_gradients(leaves, [&](std::span<const Var> v) {
      both.push_back(pool(v[0], mask).value);
      return reduced(pool(v[0], mask));
    });
    both.push_back(gradients[0]);
    return both;
  };
  const auto alone = run(tokens, nullptr), among = run(padded, valid.data());
  EXPECT_TRUE(same_bits(alone[0], among[0]));
  for (Index t = 0; t < n; ++t) {
    const Shape row{width};
    EXPECT_TRUE(same_bits(among[1].window(2 * t * width, row), alone[1].window(t * width, row)));
    EXPECT_EQ(largest(among[1].window((2 * t + 1) * width, row)), 0);
  }
}

}  // namespace heddle::testing
