// See distance.hpp.
#include "heddle/ops/distance.hpp"

#include <cmath>
#include <cstdlib>
#include <limits>

#include "heddle/base/index.hpp"
#include "heddle/tensor/dispatch.hpp"

namespace heddle {
namespace {

Tensor empty_table(Index heads, Index span, DType dtype) {
  check<ShapeError>(span > 0, "distances: a span of {}, which must be positive", span);
  return Tensor::uninitialised({heads, 2 * span - 1}, dtype);
}

/// Calls body(h, |Δ|, index of the entry) for every entry of a table.
template <class Body>
void for_each_distance(const Tensor& table, Body body) {
  const Index width = table.dim(1), middle = width / 2;
  for (Index h = 0; h < table.dim(0); ++h)
    for (Index c = 0; c < width; ++c) body(h, std::abs(c - middle), h * width + c);
}

}  // namespace

Var alibi_table(const Var& log_slopes, Index span) {
  Tensor table = empty_table(log_slopes.value.size(), span, log_slopes.value.dtype());
  dispatch(table.dtype(), [&]<class T>() {
    const T* slopes = log_slopes.value.data<T>();
    T* out = table.write<T>();
    for_each_distance(table, [&](Index h, Index far, Index at) {
      out[at] = -std::exp(slopes[h]) * static_cast<T>(far);
    });
  });
  return record(table, {&log_slopes}, [table, shape = log_slopes.value.shape()](Backprop& b) {
    Tensor d = Tensor::zeros(shape, table.dtype());
    dispatch(table.dtype(), [&]<class T>() {
      const T *y = table.data<T>(), *dy = b.dy().data<T>();
      T* out = d.write<T>();
      for_each_distance(table, [&](Index h, Index, Index at) { out[h] += y[at] * dy[at]; });
    });
    b.add(0, d);
  });
}

Index bucket_of(Index distance, Index most, Index reach) {
  const Index far = std::abs(distance), exact = (most + 1) / 2;
  Index bucket = far;
  if (far >= exact && reach > exact) {
    const auto log_of = [&](Index x) {
      return std::log(static_cast<double>(x) / static_cast<double>(exact));
    };
    const double share = log_of(far) / log_of(reach);
    bucket = exact + static_cast<Index>(share * static_cast<double>(most + 1 - exact));
  }
  bucket = std::min(bucket, most);
  return distance < 0 ? -bucket : bucket;
}

Var bucket_table(const Var& weights, Index span, Index reach) {
  const Tensor& w = weights.value;
  check<ShapeError>(w.rank() == 2 && w.dim(1) % 2 == 1,
                    "distances: weights {} for buckets of both signs and 0", w.shape());
  Tensor table = empty_table(w.dim(0), span, w.dtype());
  const auto source = [span, reach, width = w.dim(1)](Index h, Index at) {
    const Index distance = at % (2 * span - 1) - (span - 1), most = width / 2;
    return h * width + most + bucket_of(distance, most, reach);
  };
  dispatch(table.dtype(), [&]<class T>() {
    T* out = table.write<T>();
    for_each_distance(table,
                      [&](Index h, Index, Index at) { out[at] = w.data<T>()[source(h, at)]; });
  });
  return record(table, {&weights}, [source, shape = w.shape()](Backprop& b) {
    Tensor d = Tensor::zeros(shape, b.dy().dtype());
    dispatch(d.dtype(), [&]<class T>() {
      T* out = d.write<T>();
      for_each_distance(
          b.dy(), [&](Index h, Index, Index at) { out[source(h, at)] += b.dy().data<T>()[at]; });
    });
    b.add(0, d);
  });
}

Var kerple_table(const Var& log_r1, const Var& log_r2, Index span) {
  check<ShapeError>(log_r1.value.shape() == log_r2.value.shape(), "kerple: {} and {} differ",
                    log_r1.value.shape(), log_r2.value.shape());
  Tensor table = empty_table(log_r1.value.size(), span, log_r1.value.dtype());
  dispatch(table.dtype(), [&]<class T>() {
    const T *r1 = log_r1.value.data<T>(), *r2 = log_r2.value.data<T>();
    T* out = table.write<T>();
    for_each_distance(table, [&](Index h, Index far, Index at) {
      out[at] = -std::exp(r1[h]) * std::log1p(std::exp(r2[h]) * static_cast<T>(far));
    });
  });
  // d/dln r₁ is the entry itself, d/dln r₂ = −r₁ r₂|Δ| / (1 + r₂|Δ|).
  return record(table, {&log_r1, &log_r2},
                [table, r1 = log_r1.value, r2 = log_r2.value](Backprop& b) {
                  Tensor d1 = Tensor::zeros(r1.shape(), r1.dtype());
                  Tensor d2 = Tensor::zeros(r2.shape(), r2.dtype());
                  dispatch(table.dtype(), [&]<class T>() {
                    const T *y = table.data<T>(), *dy = b.dy().data<T>();
                    T *out1 = d1.write<T>(), *out2 = d2.write<T>();
                    for_each_distance(table, [&](Index h, Index far, Index at) {
                      const T grown = std::exp(r2.data<T>()[h]) * static_cast<T>(far);
                      out1[h] += y[at] * dy[at];
                      out2[h] -= std::exp(r1.data<T>()[h]) * grown / (1 + grown) * dy[at];
                    });
                  });
                  b.add(0, d1);
                  b.add(1, d2);
                });
}

namespace {

/// The table where heads look, `other` elsewhere.
Tensor where_seen(const Tensor& table, std::span<const VisibleSide> heads, double other) {
  Tensor out = Tensor::uninitialised(table.shape(), table.dtype());
  const Index width = table.dim(1), middle = width / 2;
  dispatch(table.dtype(), [&]<class T>() {
    T* to = out.write<T>();
    for_each_distance(table, [&](Index h, Index, Index at) {
      const bool seen = sees(heads[to_size(h)], at % width - middle);
      to[at] = seen ? table.data<T>()[at] : static_cast<T>(other);
    });
  });
  return out;
}

}  // namespace

Var masked_table(const Var& table, std::span<const VisibleSide> heads) {
  check<ShapeError>(table.value.rank() == 2 && std::ssize(heads) == table.value.dim(0),
                    "distances: {} heads look somewhere, the table is {}", heads.size(),
                    table.value.shape());
  const Tensor y = where_seen(table.value, heads, -std::numeric_limits<double>::infinity());
  return record(y, {&table}, [heads](Backprop& b) { b.add(0, where_seen(b.dy(), heads, 0)); });
}

}  // namespace heddle
