// See arithmetic.hpp.
#include "heddle/ops/arithmetic.hpp"

#include <algorithm>

#include "heddle/base/index.hpp"
#include "heddle/kernels/elementwise.hpp"
#include "heddle/tensor/dispatch.hpp"

namespace heddle {

Var add(const Var& a, const Var& b) {
  check<ShapeError>(a.value.shape() == b.value.shape(), "add: {} and {} differ", a.value.shape(),
                    b.value.shape());
  Tensor y = Tensor::uninitialised(a.value.shape(), a.value.dtype());
  dispatch(y.dtype(), [&]<class T>() {
    kernels::add(a.value.flat<T>(), b.value.flat<T>(),
                 std::span<T>(y.write<T>(), to_size(y.size())));
  });
  return record(y, {&a, &b}, [](Backprop& step) {
    step.add(0, step.dy());
    step.add(1, step.dy());
  });
}

Var repeat_row(const Var& row, const Shape& shape) {
  const Index width = row.value.size(), rows = shape.size() / width;
  check<ShapeError>(shape[-1] == width, "repeat row: {} numbers for {}", width, shape);
  Tensor y = Tensor::uninitialised(shape, row.value.dtype());
  dispatch(y.dtype(), [&]<class T>() {
    T* out = y.write<T>();
    for (Index i = 0; i < rows; ++i) std::copy_n(row.value.data<T>(), width, out + i * width);
  });
  return record(y, {&row}, [before = row.value.shape(), width, rows](Backprop& b) {
    Tensor sum = Tensor::zeros(before, b.dy().dtype());
    dispatch(sum.dtype(), [&]<class T>() {
      const T* dy = b.dy().data<T>();
      T* out = sum.write<T>();
      for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < width; ++j) out[j] += dy[i * width + j];
    });
    b.add(0, sum);
  });
}

Var reshape(const Var& x, const Shape& shape) {
  return record(x.value.reshaped(shape), {&x},
                [before = x.value.shape()](Backprop& b) { b.add(0, b.dy().reshaped(before)); });
}

namespace {

/// out[.., i, ..] = in[.., i, ..] · weights[i] along `axis`.
Tensor scaled(const Tensor& in, int axis, const std::vector<double>& weights) {
  Index inner = 1;
  for (int a = axis + 1; a < in.rank(); ++a) inner *= in.dim(a);
  const Index n = in.dim(axis);
  Tensor out = Tensor::uninitialised(in.shape(), in.dtype());
  dispatch(in.dtype(), [&]<class T>() {
    const T* src = in.data<T>();
    T* dst = out.write<T>();
    for (Index i = 0; i < in.size(); ++i) {
      const T by = static_cast<T>(weights[to_size((i / inner) % n)]);
      dst[i] = by == T{0} ? T{0} : src[i] * by;  // zero silences −inf and NaN too
    }
  });
  return out;
}

}  // namespace

Var scale_slices(const Var& x, int axis, std::vector<double> weights) {
  check<ShapeError>(std::ssize(weights) == x.value.dim(axis),
                    "scale slices: {} weights for axis {} of {}", weights.size(), axis,
                    x.value.shape());
  Tensor y = scaled(x.value, axis, weights);
  return record(y, {&x}, [axis, weights = std::move(weights)](Backprop& b) {
    b.add(0, scaled(b.dy(), axis, weights));
  });
}

Var weighted_sum(const Var& x, const Tensor& c) {
  check<ShapeError>(x.value.shape() == c.shape(), "weighted sum: {} and {} differ", x.value.shape(),
                    c.shape());
  Tensor y = Tensor::uninitialised({1}, c.dtype());
  dispatch(c.dtype(), [&]<class T>() {
    T sum = 0;
    for (Index i = 0; i < c.size(); ++i) sum += x.value.data<T>()[i] * c.data<T>()[i];
    *y.write<T>() = sum;
  });
  return record(y, {&x}, [c](Backprop& b) {
    Tensor dx = Tensor::uninitialised(c.shape(), c.dtype());
    dispatch(c.dtype(), [&]<class T>() {
      T* out = dx.write<T>();
      for (const T v : c.flat<T>()) *out++ = v * *b.dy().data<T>();
    });
    b.add(0, dx);
  });
}

}  // namespace heddle
