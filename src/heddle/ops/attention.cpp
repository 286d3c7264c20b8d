// See attention.hpp.
#include "heddle/ops/attention.hpp"

#include <cmath>

#include "heddle/kernels/softmax.hpp"
#include "heddle/tensor/dispatch.hpp"

namespace heddle {
namespace {

using kernels::AttentionShape;
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

Var attention(const Var& q, const Var& k, const Var& v, const AttentionMask& mask) {
  const AttentionShape shape = shape_of(q.value, k.value, mask);
  check<ShapeError>(v.value.shape() == k.value.shape(), "attention: values {} for keys {}",
                    v.value.shape(), k.value.shape());
  Tensor z = like(q.value);
  const bool keep = q.tape != nullptr || k.tape != nullptr || v.tape != nullptr;
  Tensor lse;
  if (keep) lse = Tensor::uninitialised({shape.batch, shape.heads, shape.queries}, z.dtype());
  dispatch(z.dtype(), [&]<class T>() {
    kernels::attention_forward(
        kernels::AttentionForward<T>{.shape = shape,
                                     .q = read<T>(q.value),
                                     .k = read<T>(k.value),
                                     .v = read<T>(v.value),
                                     .z = write<T>(z),
                                     .lse = keep ? lse.write<T>() : nullptr});
  });
  return record(z, {&q, &k, &v},
                [shape, q = q.value, k = k.value, v = v.value, z, lse](Backprop& b) {
                  Tensor dq = like(q), dk = like(k), dv = like(v);
                  dispatch(z.dtype(), [&]<class T>() {
                    kernels::attention_backward(kernels::AttentionBackward<T>{.shape = shape,
                                                                              .q = read<T>(q),
                                                                              .k = read<T>(k),
                                                                              .v = read<T>(v),
                                                                              .z = read<T>(z),
                                                                              .dz = read<T>(b.dy()),
                                                                              .lse = lse.data<T>(),
                                                                              .dq = write<T>(dq),
                                                                              .dk = write<T>(dk),
                                                                              .dv = write<T>(dv)});
                  });
                  b.add(0, dq);
                  b.add(1, dk);
                  b.add(2, dv);
                });
}

Var attention_scores(const Var& q, const Var& k, const AttentionMask& mask) {
  const AttentionShape shape = shape_of(q.value, k.value, mask);
  Tensor scores =
      Tensor::uninitialised({shape.batch, shape.heads, shape.queries, shape.keys}, q.value.dtype());
  dispatch(scores.dtype(), [&]<class T>() {
    kernels::attention_scores<T>(shape, read<T>(q.value), read<T>(k.value), scores.write<T>());
  });
  return record(scores, {&q, &k}, [shape, q = q.value, k = k.value](Backprop& b) {
    Tensor dq = like(q), dk = like(k);
    dispatch(q.dtype(), [&]<class T>() {
      kernels::attention_scores_backward<T>(shape, read<T>(q), read<T>(k), b.dy().data<T>(),
                                            write<T>(dq), write<T>(dk));
    });
    b.add(0, dq);
    b.add(1, dk);
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
