// Tensors are values: copies share, windows look inside, nothing is written behind a holder's back.
#include "heddle/tensor/tensor.hpp"

#include <gtest/gtest.h>

#include "heddle/tensor/dispatch.hpp"
#include "tests/support/tensors.hpp"

namespace heddle::testing {
namespace {

TEST(Tensor, HasTheShapeItWasMadeWith) {
  const Tensor t = Tensor::zeros({2, 3, 4}, DType::f64);
  EXPECT_EQ(t.size(), 24);
  EXPECT_EQ(t.bytes(), 24 * sizeof(double));
  EXPECT_EQ(t.dim(-1), 4);
  EXPECT_EQ(t.dim(0), 2);
  EXPECT_EQ(t.shape().text(), "[2, 3, 4]");
  EXPECT_EQ(t.rows<double>().shape[0], 6);
  EXPECT_EQ(largest(t), 0);
  EXPECT_TRUE(Tensor{}.empty());
}

TEST(Tensor, CopiesShareAndMayNotBeWritten) {
  Tensor a = Tensor::zeros({3}, DType::f32);
  a.write<float>()[0] = 5;
  EXPECT_TRUE(a.unique());
  {
    const Tensor b = a;
    EXPECT_EQ(b.data<float>(), a.data<float>());
    EXPECT_THROW(a.write<float>(), Error);
  }
  EXPECT_NO_THROW(a.write<float>());
}

TEST(Tensor, WindowsLookInside) {
  const Tensor t = random_tensor({4, 5}, "t");
  const Tensor inner = t.window(5, {2, 5}).window(5, {3});
  EXPECT_EQ(inner.data<double>(), t.data<double>() + 10);
  EXPECT_THROW(t.window(16, {5}), ShapeError);
  EXPECT_THROW(t.window(-1, {5}), ShapeError);
  EXPECT_EQ(t.reshaped({20}).data<double>(), t.data<double>());
  EXPECT_THROW(t.reshaped({19}), ShapeError);
}

TEST(Tensor, IsReadAsItsOwnTypeAlone) {
  EXPECT_THROW((void)Tensor::zeros({2}, DType::f32).data<double>(), ShapeError);
  EXPECT_THROW((void)Tensor::zeros({2}, DType::f64).flat<float>(), ShapeError);
}

TEST(Tensor, ConvertsBetweenPrecisions) {
  const Tensor wide = random_tensor({3, 2}, "t"), narrow = converted(wide, DType::f32);
  EXPECT_EQ(narrow.dtype(), DType::f32);
  EXPECT_TRUE(same_bits(converted(narrow, DType::f64), wide));
  EXPECT_NE(converted(wide, DType::f64).data<double>(), wide.data<double>());
}

TEST(Shape, KnowsItsLimits) {
  EXPECT_THROW((Shape{1, 1, 1, 1, 1, 1, 1}), ShapeError);
  Shape s{1, 2, 3, 4, 5, 6};
  EXPECT_THROW(s.push_back(1), ShapeError);
  EXPECT_EQ(s.size(), 720);
  EXPECT_EQ(Shape{}.size(), 1);
  EXPECT_FALSE((Shape{2, 3} == Shape{3, 2}));
  EXPECT_FALSE((Shape{2, 3} == Shape{2, 3, 1}));
}

}  // namespace
}  // namespace heddle::testing
