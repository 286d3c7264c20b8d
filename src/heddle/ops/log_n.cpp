// See log_n.hpp.
#include "heddle/ops/log_n.hpp"

#include <algorithm>
#include <cmath>

#include "heddle/base/index.hpp"
#include "heddle/tensor/dispatch.hpp"

namespace heddle {
namespace {

/// How many keys of sequence b stand before each place, [keys + 1].
void count_before(const LogN& seen, Index b, double* before) {
  before[0] = 0;
  for (Index j = 0; j < seen.keys; ++j) {
    const bool valid =
        seen.mask.key_valid == nullptr || seen.mask.key_valid[b * seen.keys + j] != 0;
    before[j + 1] = before[j] + (valid ? 1 : 0);
  }
}

/// ln n of every query and head: [batch, query, head].
Tensor logs_of(const Tensor& q, const LogN& seen) {
  const Index queries = q.dim(1), heads = q.dim(2);
  Tensor logs = Tensor::uninitialised({q.dim(0), queries, heads}, DType::f64);
  Tensor scratch = Tensor::uninitialised({seen.keys + 1}, DType::f64);
  auto *out = logs.write<double>(), *before = scratch.write<double>();
  for (Index b = 0; b < q.dim(0); ++b) {
    count_before(seen, b, before);
    for (Index i = 0; i < queries; ++i)
      for (Index h = 0; h < heads; ++h) {
        const VisibleSide looks = seen.heads.empty() ? VisibleSide::all : seen.heads[to_size(h)];
        const Index place = i + seen.mask.offset;
        const auto upto = [&](Index end) { return before[std::clamp(end, Index{0}, seen.keys)]; };
        const Index last = seen.mask.causal || looks == VisibleSide::before ? place + 1 : seen.keys;
        const double n = upto(last) - (looks == VisibleSide::after ? upto(place) : 0);
        *out++ = std::log(std::max(n, 2.0));
      }
  }
  return logs;
}

}  // namespace

Var scale_log_n(const Var& q, const Var& s, const LogN& seen) {
  const Tensor& x = q.value;
  check<ShapeError>(x.rank() == 4 && s.value.size() == x.dim(2), "log n: {} factors for queries {}",
                    s.value.size(), x.shape());
  const Index rows = x.size() / x.dim(3), heads = x.dim(2), d = x.dim(3);
  const Tensor logs = logs_of(x, seen);
  Tensor y = Tensor::uninitialised(x.shape(), x.dtype());
  dispatch(x.dtype(), [&]<class T>() {
    T* out = y.write<T>();
    for (Index i = 0; i < rows; ++i) {
      const T by = s.value.data<T>()[i % heads] * static_cast<T>(logs.data<double>()[i]);
      for (Index e = i * d; e < (i + 1) * d; ++e) out[e] = x.data<T>()[e] * by;
    }
  });
  return record(y, {&q, &s}, [=, x = q.value, s = s.value](Backprop& b) {
    Tensor dx = Tensor::uninitialised(x.shape(), x.dtype()),
           ds = Tensor::zeros(s.shape(), s.dtype());
    dispatch(x.dtype(), [&]<class T>() {
      const T *in = x.data<T>(), *dy = b.dy().data<T>();
      T *din = dx.write<T>(), *dscale = ds.write<T>();
      for (Index i = 0; i < rows; ++i) {
        const T log_n = static_cast<T>(logs.data<double>()[i]);
        const T by = s.data<T>()[i % heads] * log_n;
        for (Index e = i * d; e < (i + 1) * d; ++e) {
          din[e] = dy[e] * by;
          dscale[i % heads] += dy[e] * in[e] * log_n;
        }
      }
    });
    b.add(0, dx);
    b.add(1, ds);
  });
}

}  // namespace heddle
