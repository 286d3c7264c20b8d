// Poolings that pick tokens: the largest, and the five summaries. Gradients go to the tokens that
// were picked.
#include <algorithm>
#include <cmath>

#include "heddle/ops/embedding.hpp"
#include "heddle/ops/pooling/pooling.hpp"
#include "heddle/ops/token_rows.hpp"
#include "heddle/tensor/dispatch.hpp"

namespace heddle {
namespace {

/// One feature's best value so far and where it stands. A NaN wins and stays: it must not vanish.
template <class T>
void keep_larger(T value, Index t, T& best, std::int32_t& place) {
  if (!(value > best) && !std::isnan(value)) return;
  best = value;
  place = static_cast<std::int32_t>(t);
}
template <class T>
void keep_smaller(T value, Index t, T& best, std::int32_t& place) {
  if (!(value < best) && !std::isnan(value)) return;
  best = value;
  place = static_cast<std::int32_t>(t);
}

// The five summaries, in the order in which they stand side by side.
constexpr Index kMin = 0, kMinStep = 1, kMeanStep = 2, kFirst = 3, kLast = 4;

/// One sequence of rows of d numbers, and which of its tokens hold the minima: of the values, and
/// of the steps (there the left end).
struct Summary {
  TokenRows rows;
  Index sequence = 0, d = 0;
  std::int32_t* min = nullptr;
  std::int32_t* step = nullptr;

  Index first() const { return rows.first(sequence); }
  Index last() const { return rows.last(sequence); }
  Index count() const { return rows.count(sequence); }
  Index behind(Index t) const { return rows.next(sequence, t + 1); }
};

/// x [length, d] → y [5, d].
template <class T>
void summarise(const Summary& s, const T* x, T* y) {
  const Index d = s.d, first = s.first(), last = s.last(), n = s.count();
  for (Index j = 0; j < d; ++j) {
    const T a = x[first * d + j], z = x[last * d + j];
    y[kMin * d + j] = y[kFirst * d + j] = a;
    y[kLast * d + j] = z;
    y[kMinStep * d + j] = 0;
    y[kMeanStep * d + j] = n > 1 ? (z - a) / static_cast<T>(n - 1) : T{0};
    s.min[j] = s.step[j] = static_cast<std::int32_t>(first);
  }
  for (Index left = first, t = s.behind(first); t < s.rows.length; left = t, t = s.behind(t))
    for (Index j = 0; j < d; ++j) {
      const T value = x[t * d + j], step = value - x[left * d + j];
      keep_smaller(value, t, y[kMin * d + j], s.min[j]);
      if (left == first)
        y[kMinStep * d + j] = step;
      else
        keep_smaller(step, left, y[kMinStep * d + j], s.step[j]);
    }
}

/// dx [length, d], cleared before, from dy [5, d].
template <class T>
void summarise_backward(const Summary& s, const T* dy, T* dx) {
  const Index d = s.d, first = s.first(), last = s.last(), n = s.count();
  for (Index j = 0; j < d; ++j) {
    dx[s.min[j] * d + j] += dy[kMin * d + j];
    dx[first * d + j] += dy[kFirst * d + j];
    dx[last * d + j] += dy[kLast * d + j];
    if (n == 1) continue;
    dx[s.behind(s.step[j]) * d + j] += dy[kMinStep * d + j];
    dx[s.step[j] * d + j] -= dy[kMinStep * d + j];
    const T share = dy[kMeanStep * d + j] / static_cast<T>(n - 1);
    dx[last * d + j] += share;
    dx[first * d + j] -= share;
  }
}

}  // namespace

Var pool_max(const Var& x, const std::uint8_t* valid) {
  const TokenRows rows = token_rows("max pooling", x.value, 3, valid);
  const Index d = x.value.dim(2);
  Tensor y = Tensor::uninitialised({rows.batch, d}, x.value.dtype());
  const Ids places(rows.batch * d);
  dispatch(y.dtype(), [&]<class T>() {
    for (Index b = 0; b < rows.batch; ++b) {
      const T* from = x.value.data<T>() + b * rows.length * d;
      T* best = y.write<T>() + b * d;
      std::int32_t* place = places.data() + b * d;
      std::copy_n(from + rows.first(b) * d, d, best);
      std::fill_n(place, d, static_cast<std::int32_t>(rows.first(b)));
      rows.each(b, [&](Index t) {
        for (Index j = 0; j < d; ++j) keep_larger(from[t * d + j], t, best[j], place[j]);
      });
    }
  });
  return record(y, {&x}, [rows, places, shape = x.value.shape(), d](Backprop& step) {
    Tensor dx = Tensor::zeros(shape, step.dy().dtype());
    dispatch(dx.dtype(), [&]<class T>() {
      const T* dy = step.dy().data<T>();
      T* out = dx.write<T>();
      for (Index i = 0; i < rows.batch * d; ++i)
        out[(i / d * rows.length + places.data()[i]) * d + i % d] = dy[i];
    });
    step.add(0, dx);
  });
}

Var pool_multi(const Var& x, const std::uint8_t* valid) {
  const TokenRows rows = token_rows("multi pooling", x.value, 3, valid);
  const Index d = x.value.dim(2), wide = kMultiSummaries * d;
  Tensor y = Tensor::uninitialised({rows.batch, wide}, x.value.dtype());
  const Ids places(2 * rows.batch * d);
  const auto summary = [rows, places, d](Index b) {
    std::int32_t* at = places.data() + 2 * b * d;
    return Summary{.rows = rows, .sequence = b, .d = d, .min = at, .step = at + d};
  };
  dispatch(y.dtype(), [&]<class T>() {
    for (Index b = 0; b < rows.batch; ++b)
      summarise(summary(b), x.value.data<T>() + b * rows.length * d, y.write<T>() + b * wide);
  });
  return record(y, {&x}, [summary, shape = x.value.shape(), wide](Backprop& step) {
    Tensor dx = Tensor::zeros(shape, step.dy().dtype());
    dispatch(dx.dtype(), [&]<class T>() {
      for (Index b = 0; b < shape[0]; ++b)
        summarise_backward(summary(b), step.dy().data<T>() + b * wide,
                           dx.write<T>() + b * shape[1] * shape[2]);
    });
    step.add(0, dx);
  });
}

}  // namespace heddle
