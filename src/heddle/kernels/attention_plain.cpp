// The plain steps of attention, for when somebody watches scores or the pattern: four loops each,
// arranged so that the innermost runs along memory.
#include <algorithm>
#include <limits>

#include "heddle/base/index.hpp"
#include "heddle/base/memory/pool.hpp"
#include "heddle/kernels/attention.hpp"

namespace heddle::kernels {
namespace {

template <class T>
T* row_of(HeadRows<T> rows, Index length, Index b, Index t, Index head_start) {
  return rows.data + (b * length + t) * rows.stride + head_start;
}

/// Calls body(b, h·d, first index of the dense [queries, keys] matrix) for every head.
template <class Body>
void for_each_head(const AttentionShape& s, Body body) {
  for (Index b = 0; b < s.batch; ++b)
    for (Index h = 0; h < s.heads; ++h) body(b, h * s.d, (b * s.heads + h) * s.queries * s.keys);
}

template <class T>
T dot(const T* a, const T* b, Index count) {
  T sum = 0;
  for (Index e = 0; e < count; ++e) sum += a[e] * b[e];
  return sum;
}

/// y += factor · x.
template <class T>
void add_scaled(T factor, const T* x, Index count, T* y) {
  for (Index e = 0; e < count; ++e) y[e] += factor * x[e];
}

template <class T>
void zero_rows(HeadRows<T> rows, Index length, Index b, Index head_start, Index d) {
  for (Index t = 0; t < length; ++t) {
    T* row = row_of(rows, length, b, t, head_start);
    for (Index e = 0; e < d; ++e) row[e] = 0;
  }
}

}  // namespace

// Keys are laid across, so that the innermost loop runs over them and every score still sums its
// products in the order of the features.
template <class T>
void attention_scores(const AttentionShape& shape, HeadRows<const T> q, HeadRows<const T> k,
                      T* scores, DistanceBias<const T> bias) {
  const BlockRef scratch(to_size(shape.keys * shape.d) * sizeof(T));
  T* across = reinterpret_cast<T*>(scratch.bytes());
  for_each_head(shape, [&](Index b, Index start, Index at) {
    for (Index j = 0; j < shape.keys; ++j)
      for (Index e = 0; e < shape.d; ++e)
        across[e * shape.keys + j] = row_of(k, shape.keys, b, j, start)[e];
    for (Index i = 0; i < shape.queries; ++i) {
      const T* query = row_of(q, shape.queries, b, i, start);
      T* row = scores + at + i * shape.keys;
      std::fill_n(row, shape.keys, T{0});
      for (Index e = 0; e < shape.d; ++e)
        add_scaled(query[e], across + e * shape.keys, shape.keys, row);
      for (Index j = 0; j < shape.keys; ++j) {
        row[j] = shape.sees(b, i, j) ? static_cast<T>(shape.scale) * row[j]
                                     : -std::numeric_limits<T>::infinity();
        if (bias.table) row[j] += bias.at(start / shape.d, i + shape.offset - j);
      }
    }
  });
}

template <class T>
void attention_bias_backward(const AttentionShape& shape, const T* dscores, DistanceBias<T> dbias) {
  std::fill_n(dbias.table, shape.heads * (2 * dbias.span - 1), T{0});
  for_each_head(shape, [&](Index b, Index start, Index at) {
    for (Index i = 0; i < shape.queries; ++i)
      for (Index j = 0; j < shape.keys; ++j, ++at)
        if (shape.sees(b, i, j)) dbias.at(start / shape.d, i + shape.offset - j) += dscores[at];
  });
}

template <class T>
void attention_scores_backward(const AttentionShape& shape, HeadRows<const T> q,
                               HeadRows<const T> k, const T* dscores, HeadRows<T> dq,
                               HeadRows<T> dk) {
  for_each_head(shape, [&](Index b, Index start, Index at) {
    zero_rows(dq, shape.queries, b, start, shape.d);
    zero_rows(dk, shape.keys, b, start, shape.d);
    for (Index i = 0; i < shape.queries; ++i)
      for (Index j = 0; j < shape.keys; ++j, ++at) {
        if (!shape.sees(b, i, j)) continue;
        const T ds = static_cast<T>(shape.scale) * dscores[at];
        add_scaled(ds, row_of(k, shape.keys, b, j, start), shape.d,
                   row_of(dq, shape.queries, b, i, start));
        add_scaled(ds, row_of(q, shape.queries, b, i, start), shape.d,
                   row_of(dk, shape.keys, b, j, start));
      }
  });
}

template <class T>
void attention_mix(const AttentionShape& shape, const T* pattern, HeadRows<const T> v,
                   HeadRows<T> z) {
  for_each_head(shape, [&](Index b, Index start, Index at) {
    zero_rows(z, shape.queries, b, start, shape.d);
    for (Index i = 0; i < shape.queries; ++i)
      for (Index j = 0; j < shape.keys; ++j, ++at)
        if (pattern[at] != 0)
          add_scaled(pattern[at], row_of(v, shape.keys, b, j, start), shape.d,
                     row_of(z, shape.queries, b, i, start));
  });
}

template <class T>
void attention_mix_backward(const AttentionShape& shape, const T* pattern, HeadRows<const T> v,
                            HeadRows<const T> dz, T* dpattern, HeadRows<T> dv) {
  for_each_head(shape, [&](Index b, Index start, Index at) {
    zero_rows(dv, shape.keys, b, start, shape.d);
    for (Index i = 0; i < shape.queries; ++i)
      for (Index j = 0; j < shape.keys; ++j, ++at) {
        const T* dz_row = row_of(dz, shape.queries, b, i, start);
        dpattern[at] = dot(dz_row, row_of(v, shape.keys, b, j, start), shape.d);
        add_scaled(pattern[at], dz_row, shape.d, row_of(dv, shape.keys, b, j, start));
      }
  });
}

template void attention_scores(const AttentionShape&, HeadRows<const float>, HeadRows<const float>,
                               float*, DistanceBias<const float>);
template void attention_scores(const AttentionShape&, HeadRows<const double>,
                               HeadRows<const double>, double*, DistanceBias<const double>);
template void attention_bias_backward(const AttentionShape&, const float*, DistanceBias<float>);
template void attention_bias_backward(const AttentionShape&, const double*, DistanceBias<double>);
template void attention_scores_backward(const AttentionShape&, HeadRows<const float>,
                                        HeadRows<const float>, const float*, HeadRows<float>,
                                        HeadRows<float>);
template void attention_scores_backward(const AttentionShape&, HeadRows<const double>,
                                        HeadRows<const double>, const double*, HeadRows<double>,
                                        HeadRows<double>);
template void attention_mix(const AttentionShape&, const float*, HeadRows<const float>,
                            HeadRows<float>);
template void attention_mix(const AttentionShape&, const double*, HeadRows<const double>,
                            HeadRows<double>);
template void attention_mix_backward(const AttentionShape&, const float*, HeadRows<const float>,
                                     HeadRows<const float>, float*, HeadRows<float>);
template void attention_mix_backward(const AttentionShape&, const double*, HeadRows<const double>,
                                     HeadRows<const double>, double*, HeadRows<double>);

}  // namespace heddle::kernels
