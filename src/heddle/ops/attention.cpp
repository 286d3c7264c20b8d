// See attention.hpp.
#include "heddle/ops/attention.hpp"

#include <algorithm>
#include <cmath>

#include "heddle/kernels/softmax.hpp"
#include "heddle/tensor/dispatch.hpp"

namespace heddle {
namespace {

using kernels::AttentionShape;
using kernels::DistanceBias;
using kernels::HeadRows;

/// Sizes from q and k [batch, position, head, feature].
AttentionShape shape_of(const Tensor& q, const Tensor& k, const AttentionMask& mask) {
  check<ShapeError>(q.rank() == 4 && k.rank() == 4 && q.dim(0) == k.dim(0) &&
                        q.dim(2) == k.dim(2) && q.dim(3) == k.dim(3),
                    "attention: queries {} and keys {} do not fit", q.shape(), k.shape());
  return {.batch = q.dim(0),
          .heads = q.dim(2),
          .queries = q.dim(1),
          .keys = k.dim(1),
          .d = q.dim(3),
          .causal = mask.causal,
          .offset = mask.offset,
          .key_valid = mask.key_valid,
          .scale = 1.0 / std::sqrt(static_cast<double>(q.dim(3)))};
}

/// The table of a bias by distance, empty where there is none.
Tensor table_of(const AttentionShape& shape, const Var* by_distance) {
  if (by_distance == nullptr) return {};
  const Tensor& table = by_distance->value;
  const Index far = std::max({shape.queries + shape.offset, shape.keys, shape.keys - shape.offset});
  check<ShapeError>(table.rank() == 2 && table.dim(0) == shape.heads && table.dim(1) % 2 == 1 &&
                        table.dim(1) >= 2 * far - 1,
                    "attention: a bias {} by distance for {} heads and distances below {}",
                    table.shape(), shape.heads, far);
  return table;
}
template <class T>
DistanceBias<const T> read_bias(const Tensor& table) {
  if (table.empty()) return {};
  return {table.data<T>(), (table.dim(1) + 1) / 2};
}

template <class T>
HeadRows<const T> read(const Tensor& x) {
  return {x.data<T>(), x.dim(2) * x.dim(3)};
}
template <class T>
HeadRows<T> write(Tensor& x) {
  return {x.write<T>(), x.dim(2) * x.dim(3)};
}
Tensor like(const Tensor& x) {
  return Tensor::uninitialised(x.shape(), x.dtype());
}

}  // namespace

Var attention(const Var& q, const Var& k, const Var& v, const AttentionMask& mask,
              const Var* by_distance) {
  const AttentionShape shape = shape_of(q.value, k.value, mask);
  const Tensor table = table_of(shape, by_distance);
  check<ShapeError>(v.value.shape() == k.value.shape(), "attention: values {} for keys {}",
                    v.value.shape(), k.value.shape());
  Tensor z = like(q.value);
  const bool keep = q.tape != nullptr || k.tape != nullptr || v.tape != nullptr ||
                    (by_distance != nullptr && by_distance->tape != nullptr);
  Tensor lse;
  if (keep) lse = Tensor::uninitialised({shape.batch, shape.heads, shape.queries}, z.dtype());
  dispatch(z.dtype(), [&]<class T>() {
    kernels::attention_forward(kernels::AttentionForward<T>{.shape = shape,
                                                            .q = read<T>(q.value),
                                                            .k = read<T>(k.value),
                                                            .v = read<T>(v.value),
                                                            .z = write<T>(z),
                                                            .lse = keep ? lse.write<T>() : nullptr,
                                                            .bias = read_bias<T>(table)});
  });
  return record(z, {&q, &k, &v, by_distance},
                [shape, q = q.value, k = k.value, v = v.value, z, lse, table](Backprop& b) {
                  Tensor dq = like(q), dk = like(k), dv = like(v), dtable;
                  if (!table.empty()) dtable = like(table);
                  dispatch(z.dtype(), [&]<class T>() {
                    kernels::attention_backward(kernels::AttentionBackward<T>{
                        .shape = shape,
                        .q = read<T>(q),
                        .k = read<T>(k),
                        .v = read<T>(v),
                        .z = read<T>(z),
                        .dz = read<T>(b.dy()),
                        .lse = lse.data<T>(),
                        .dq = write<T>(dq),
                        .dk = write<T>(dk),
                        .dv = write<T>(dv),
                        .bias = read_bias<T>(table),
                        .dbias = table.empty() ? nullptr : dtable.write<T>()});
                  });
                  b.add(0, dq);
                  b.add(1, dk);
                  b.add(2, dv);
                  if (!table.empty()) b.add(3, dtable);
                });
}

Var attention_scores(const Var& q, const Var& k, const AttentionMask& mask,
                     const Var* by_distance) {
  const AttentionShape shape = shape_of(q.value, k.value, mask);
  const Tensor table = table_of(shape, by_distance);
  Tensor scores =
      Tensor::uninitialised({shape.batch, shape.heads, shape.queries, shape.keys}, q.value.dtype());
  dispatch(scores.dtype(), [&]<class T>() {
    kernels::attention_scores<T>(shape, read<T>(q.value), read<T>(k.value), scores.write<T>(),
                                 read_bias<T>(table));
  });
  return record(scores, {&q, &k, by_distance},
                [shape, q = q.value, k = k.value, table](Backprop& b) {
                  Tensor dq = like(q), dk = like(k), dtable;
                  if (!table.empty()) dtable = like(table);
                  dispatch(q.dtype(), [&]<class T>() {
                    const T* dy = b.dy().data<T>();
                    kernels::attention_scores_backward<T>(shape, read<T>(q), read<T>(k), dy,
                                                          write<T>(dq), write<T>(dk));
                    if (!table.empty())
                      kernels::attention_bias_backward<T>(
                          shape, dy, {dtable.write<T>(), (table.dim(1) + 1) / 2});
                  });
                  b.add(0, dq);
                  b.add(1, dk);
                  if (!table.empty()) b.add(2, dtable);
                });
}

Var attention_pattern(const Var& scores) {
  Tensor pattern = like(scores.value);
  dispatch(pattern.dtype(),
           [&]<class T>() { kernels::softmax(scores.value.rows<T>(), pattern.write_rows<T>()); });
  return record(pattern, {&scores}, [pattern](Backprop& b) {
    Tensor dscores = like(pattern);
    dispatch(pattern.dtype(), [&]<class T>() {
      kernels::softmax_backward(pattern.rows<T>(), b.dy().rows<T>(), dscores.write_rows<T>());
    });
    b.add(0, dscores);
  });
}

Var attention_mix(const Var& pattern, const Var& v) {
  const Tensor& p = pattern.value;
  check<ShapeError>(p.rank() == 4 && v.value.rank() == 4 && p.dim(0) == v.value.dim(0) &&
                        p.dim(1) == v.value.dim(2) && p.dim(3) == v.value.dim(1),
                    "attention: a pattern {} for values {}", p.shape(), v.value.shape());
  const AttentionShape shape{.batch = p.dim(0),
                             .heads = p.dim(1),
                             .queries = p.dim(2),
                             .keys = p.dim(3),
                             .d = v.value.dim(3)};
  Tensor z = Tensor::uninitialised({shape.batch, shape.queries, shape.heads, shape.d}, p.dtype());
  dispatch(z.dtype(), [&]<class T>() {
    kernels::attention_mix<T>(shape, p.data<T>(), read<T>(v.value), write<T>(z));
  });
  return record(z, {&pattern, &v}, [shape, p, v = v.value](Backprop& b) {
    Tensor dp = like(p), dv = like(v);
    dispatch(p.dtype(), [&]<class T>() {
      kernels::attention_mix_backward<T>(shape, p.data<T>(), read<T>(v), read<T>(b.dy()),
                                         dp.write<T>(), write<T>(dv));
    });
    b.add(0, dp);
    b.add(1, dv);
  });
}

Var head_results(const Var& z, const Var& w_o) {
  const Index rows = z.value.dim(0) * z.value.dim(1), heads = z.value.dim(2), d = z.value.dim(3);
  const Index m = w_o.value.dim(1);
  check<ShapeError>(w_o.value.dim(0) == heads * d, "head results: {} heads of {} for w_o {}", heads,
                    d, w_o.value.shape());
  Tensor y = Tensor::zeros({z.value.dim(0), z.value.dim(1), heads, m}, z.value.dtype());
  dispatch(y.dtype(), [&]<class T>() {
    const T *in = z.value.data<T>(), *w = w_o.value.data<T>();
    T* out = y.write<T>();
    for (Index i = 0; i < rows * heads; ++i)
      for (Index e = 0; e < d; ++e)
        for (Index j = 0; j < m; ++j)
          out[i * m + j] += in[i * d + e] * w[((i % heads) * d + e) * m + j];
  });
  return record(y, {&z, &w_o}, [=, z = z.value, w_o = w_o.value](Backprop& b) {
    Tensor dz = Tensor::zeros(z.shape(), z.dtype()), dw = Tensor::zeros(w_o.shape(), z.dtype());
    dispatch(z.dtype(), [&]<class T>() {
      const T *in = z.data<T>(), *w = w_o.data<T>(), *dy = b.dy().data<T>();
      T *din = dz.write<T>(), *dwo = dw.write<T>();
      for (Index i = 0; i < rows * heads; ++i)
        for (Index e = 0; e < d; ++e)
          for (Index j = 0; j < m; ++j) {
            const Index at = ((i % heads) * d + e) * m + j;
            din[i * d + e] += dy[i * m + j] * w[at];
            dwo[at] += dy[i * m + j] * in[i * d + e];
          }
    });
    b.add(0, dz);
    b.add(1, dw);
  });
}

Var sum_heads(const Var& results, const Var& bias) {
  const Tensor& r = results.value;
  const Index rows = r.dim(0) * r.dim(1), heads = r.dim(2), m = r.dim(3);
  Tensor y = Tensor::uninitialised({r.dim(0), r.dim(1), m}, r.dtype());
  dispatch(y.dtype(), [&]<class T>() {
    const T *in = r.data<T>(), *b = bias.value.data<T>();
    T* out = y.write<T>();
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < m; ++j) {
        T sum = b[j];
        for (Index h = 0; h < heads; ++h) sum += in[(i * heads + h) * m + j];
        out[i * m + j] = sum;
      }
  });
  return record(y, {&results, &bias}, [=, shape = r.shape(), dtype = r.dtype()](Backprop& b) {
    Tensor dr = Tensor::uninitialised(shape, dtype), db = Tensor::zeros({m}, dtype);
    dispatch(dtype, [&]<class T>() {
      const T* dy = b.dy().data<T>();
      T *dout = dr.write<T>(), *dbias = db.write<T>();
      for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < m; ++j) {
          dbias[j] += dy[i * m + j];
          for (Index h = 0; h < heads; ++h) dout[(i * heads + h) * m + j] = dy[i * m + j];
        }
    });
    b.add(0, dr);
    b.add(1, db);
  });
}

}  // namespace heddle
