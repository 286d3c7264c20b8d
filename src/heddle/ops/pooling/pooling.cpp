// See pooling.hpp.
#include "heddle/ops/pooling/pooling.hpp"

#include <algorithm>

#include "heddle/ops/token_rows.hpp"
#include "heddle/tensor/dispatch.hpp"

namespace heddle {

Var pool_mean(const Var& x, const std::uint8_t* valid) {
  const TokenRows rows = token_rows("mean pooling", x.value, 3, valid);
  const Index d = x.value.dim(2);
  Tensor y = Tensor::zeros({rows.batch, d}, x.value.dtype());
  dispatch(y.dtype(), [&]<class T>() {
    for (Index b = 0; b < rows.batch; ++b) {
      const T* from = x.value.data<T>() + b * rows.length * d;
      T* out = y.write<T>() + b * d;
      rows.each(b, [&](Index t) {
        for (Index j = 0; j < d; ++j) out[j] += from[t * d + j];
      });
      const auto n = static_cast<T>(rows.count(b));
      for (Index j = 0; j < d; ++j) out[j] /= n;
    }
  });
  return record(y, {&x}, [rows, shape = x.value.shape(), d](Backprop& step) {
    Tensor dx = Tensor::zeros(shape, step.dy().dtype());
    dispatch(dx.dtype(), [&]<class T>() {
      for (Index b = 0; b < rows.batch; ++b) {
        const T* dy = step.dy().data<T>() + b * d;
        T* out = dx.write<T>() + b * rows.length * d;
        const auto n = static_cast<T>(rows.count(b));
        rows.each(b, [&](Index t) {
          for (Index j = 0; j < d; ++j) out[t * d + j] = dy[j] / n;
        });
      }
    });
    step.add(0, dx);
  });
}

Var pool_pick(const Var& x, const std::uint8_t* valid, Index position) {
  const TokenRows rows = token_rows("summary token", x.value, 3, valid);
  const Index d = x.value.dim(2);
  check<ShapeError>(position >= kLastToken && position < rows.length,
                    "summary token: position {} of {}", position, x.value.shape());
  const auto place = [rows, position](Index b) {
    return b * rows.length + (position == kLastToken ? rows.last(b) : position);
  };
  for (Index b = 0; b < rows.batch; ++b)
    check<ShapeError>(valid == nullptr || valid[place(b)] != 0,
                      "summary token: position {} of sequence {} is padding", position, b);
  Tensor y = Tensor::uninitialised({rows.batch, d}, x.value.dtype());
  dispatch(y.dtype(), [&]<class T>() {
    for (Index b = 0; b < rows.batch; ++b)
      std::copy_n(x.value.data<T>() + place(b) * d, d, y.write<T>() + b * d);
  });
  return record(y, {&x}, [place, shape = x.value.shape(), d](Backprop& step) {
    Tensor dx = Tensor::zeros(shape, step.dy().dtype());
    dispatch(dx.dtype(), [&]<class T>() {
      for (Index b = 0; b < shape[0]; ++b)
        std::copy_n(step.dy().data<T>() + b * d, d, dx.write<T>() + place(b) * d);
    });
    step.add(0, dx);
  });
}

}  // namespace heddle
