// See dense_scores.hpp: what a query says to a distance, and the sum of scores. fire.cpp has the
// rest.
#include "heddle/ops/dense_scores.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "heddle/tensor/dispatch.hpp"

namespace heddle {
namespace {

struct ShawSizes {
  Index batch, heads, d, reach;
  QueryRange range;

  /// Which vector belongs to query i of the range and key j.
  Index row(Index i, Index j) const {
    return std::clamp(range.first + i - j, -reach, reach) + reach;
  }
};

/// Calls body(first feature of a query's head, h, first of its scores, i).
template <class Body>
void for_each_query(const ShawSizes& s, Body body) {
  for (Index b = 0; b < s.batch; ++b)
    for (Index i = 0; i < s.range.count; ++i)
      for (Index h = 0; h < s.heads; ++h)
        body(((b * s.range.count + i) * s.heads + h) * s.d, h,
             ((b * s.heads + h) * s.range.count + i) * s.range.keys, i);
}

template <class T>
T scale_of(const ShawSizes& s) {
  return static_cast<T>(1 / std::sqrt(static_cast<double>(s.d)));
}

/// A query meets each of the 2K + 1 vectors once; then every key gets the product of its distance.
template <class T>
void shaw_forward(const ShawSizes& s, const T* q, const T* a, T* out) {
  const Index rows = 2 * s.reach + 1;
  std::vector<T> products(static_cast<std::size_t>(rows));
  for_each_query(s, [&](Index from, Index h, Index to, Index i) {
    for (Index r = 0; r < rows; ++r) {
      T sum = 0;
      for (Index e = 0; e < s.d; ++e) sum += q[from + e] * a[(r * s.heads + h) * s.d + e];
      products[static_cast<std::size_t>(r)] = sum * scale_of<T>(s);
    }
    for (Index j = 0; j < s.range.keys; ++j)
      out[to + j] = products[static_cast<std::size_t>(s.row(i, j))];
  });
}

/// The other way round: gradients of equal distances are summed, then spread over q and a.
template <class T>
struct ShawBackward {
  const T *q, *a, *dy;
  T *dq, *da;

  void run(const ShawSizes& s) const {
    const Index rows = 2 * s.reach + 1;
    std::vector<T> sums(static_cast<std::size_t>(rows));
    for_each_query(s, [&](Index from, Index h, Index to, Index i) {
      std::ranges::fill(sums, T{0});
      for (Index j = 0; j < s.range.keys; ++j)
        sums[static_cast<std::size_t>(s.row(i, j))] += dy[to + j];
      for (Index r = 0; r < rows; ++r) {
        const T sum = sums[static_cast<std::size_t>(r)] * scale_of<T>(s);
        const Index row = (r * s.heads + h) * s.d;
        for (Index e = 0; e < s.d; ++e) {
          dq[from + e] += sum * a[row + e];
          da[row + e] += sum * q[from + e];
        }
      }
    });
  }
};

}  // namespace

Var shaw_scores(const Var& q, const Var& a, const QueryRange& range) {
  const Tensor& x = q.value;
  const Index rows = a.value.rank() == 3 ? a.value.dim(0) : 0;
  check<ShapeError>(x.rank() == 4 && x.dim(1) == range.count && rows % 2 == 1 &&
                        a.value.dim(1) == x.dim(2) && a.value.dim(2) == x.dim(3),
                    "shaw: vectors {} by distance for {} queries {}", a.value.shape(), range.count,
                    x.shape());
  const ShawSizes sizes{
      .batch = x.dim(0), .heads = x.dim(2), .d = x.dim(3), .reach = rows / 2, .range = range};
  Tensor y = Tensor::uninitialised({sizes.batch, sizes.heads, range.count, range.keys}, x.dtype());
  dispatch(x.dtype(),
           [&]<class T>() { shaw_forward(sizes, x.data<T>(), a.value.data<T>(), y.write<T>()); });
  return record(y, {&q, &a}, [sizes, q = q.value, a = a.value](Backprop& b) {
    Tensor dq = Tensor::zeros(q.shape(), q.dtype()), da = Tensor::zeros(a.shape(), a.dtype());
    dispatch(q.dtype(), [&]<class T>() {
      ShawBackward<T>{.q = q.data<T>(),
                      .a = a.data<T>(),
                      .dy = b.dy().data<T>(),
                      .dq = dq.write<T>(),
                      .da = da.write<T>()}
          .run(sizes);
    });
    b.add(0, dq);
    b.add(1, da);
  });
}

Var add_scores(const Var& scores, const Var& part) {
  const Tensor &x = scores.value, &y = part.value;
  check<ShapeError>(x.rank() == 4 && y.rank() == 4 && x.size() % y.size() == 0 &&
                        (y.dim(0) == 1 || y.dim(0) == x.dim(0)) && y.dim(1) == x.dim(1) &&
                        y.dim(2) == x.dim(2) && y.dim(3) == x.dim(3),
                    "add scores: {} to {}", y.shape(), x.shape());
  Tensor sum = Tensor::uninitialised(x.shape(), x.dtype());
  dispatch(x.dtype(), [&]<class T>() {
    T* out = sum.write<T>();
    for (Index i = 0; i < x.size(); ++i) out[i] = x.data<T>()[i] + y.data<T>()[i % y.size()];
  });
  return record(sum, {&scores, &part}, [shape = y.shape()](Backprop& b) {
    b.add(0, b.dy());
    Tensor d = Tensor::zeros(shape, b.dy().dtype());
    dispatch(d.dtype(), [&]<class T>() {
      T* out = d.write<T>();
      for (Index i = 0; i < b.dy().size(); ++i) out[i % d.size()] += b.dy().data<T>()[i];
    });
    b.add(1, d);
  });
}

}  // namespace heddle
