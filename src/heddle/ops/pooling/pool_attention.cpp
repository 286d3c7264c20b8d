// See pool_attention.hpp.
#include "heddle/ops/pooling/pool_attention.hpp"

#include <algorithm>
#include <cmath>

#include "heddle/ops/token_rows.hpp"
#include "heddle/tensor/dispatch.hpp"

namespace heddle {
namespace {

/// The inputs of pool_weights, as its backward pass keeps them.
struct PoolTensors {
  Tensor scores, sink, sharpness;
};

/// ln n, at least ln 2: a sequence of one token must be able to choose too.
double log_count(const TokenRows& rows, Index b) {
  return std::log(static_cast<double>(std::max<Index>(rows.count(b), 2)));
}

/// One head of one sequence: its scores, one every `stride` numbers, its sink, and factor = s·ln n.
template <class T>
struct PoolRow {
  const TokenRows& rows;
  Index sequence;
  const T* scores;
  Index stride;
  T sink;
  T factor;

  T logit(Index t) const { return factor * scores[t * stride]; }
  template <class Use>
  void each(Use&& use) const {
    rows.each(sequence, use);
  }
};

/// Fills `weights` [length], cleared before, and returns the weight of the sink.
template <class T>
T weigh(const PoolRow<T>& row, T* weights) {
  T top = row.factor * row.sink;
  row.each([&](Index t) { top = std::max(top, row.logit(t)); });
  const T sink = std::exp(row.factor * row.sink - top);
  T sum = sink;
  row.each([&](Index t) { sum += weights[t] = std::exp(row.logit(t) - top); });
  row.each([&](Index t) { weights[t] /= sum; });
  return sink / sum;
}

/// What a row has besides its scores.
template <class T>
struct SinkAndFactor {
  T sink, factor;
};

/// With p the weights, that of the sink included, the gradient of each logit is
/// g_i = p_i (dp_i − Σ p·dp), where the sink's dp is 0. Writes that of the scores and returns the
/// rest.
template <class T>
SinkAndFactor<T> weigh_backward(const PoolRow<T>& row, T sink_weight, const T* p, const T* dp,
                                T* dscores) {
  T mean = 0;
  row.each([&](Index t) { mean += p[t] == T{0} ? T{0} : p[t] * dp[t]; });
  const T g_sink = -sink_weight * mean;
  SinkAndFactor<T> rest{row.factor * g_sink, row.sink * g_sink};
  row.each([&](Index t) {
    if (p[t] == T{0}) return;  // its score may be −inf
    const T g = p[t] * (dp[t] - mean);
    dscores[t * row.stride] = row.factor * g;
    rest.factor += g * row.scores[t * row.stride];
  });
  return rest;
}

/// The heads of a batch, one by one and always in the same order: use(number, ln n, row).
template <class T, class Use>
void each_row(const TokenRows& rows, const PoolTensors& in, Use&& use) {
  const Index heads = in.scores.dim(2);
  for (Index b = 0; b < rows.batch; ++b) {
    const auto log_n = static_cast<T>(log_count(rows, b));
    for (Index h = 0; h < heads; ++h)
      use(b * heads + h, log_n,
          PoolRow<T>{.rows = rows,
                     .sequence = b,
                     .scores = in.scores.data<T>() + b * rows.length * heads + h,
                     .stride = heads,
                     .sink = in.sink.data<T>()[h],
                     .factor = in.sharpness.data<T>()[h] * log_n});
  }
}

/// The backward pass of pool_weights: `sinks` [batch, head] are the weights of the sinks.
void back(Backprop& step, const TokenRows& rows, const PoolTensors& in, const Tensor& weights,
          const Tensor& sinks) {
  const Index heads = sinks.dim(1), length = rows.length;
  Tensor dscores = Tensor::zeros(in.scores.shape(), weights.dtype());
  Tensor dsink = Tensor::zeros(in.sink.shape(), weights.dtype());
  Tensor dsharpness = Tensor::zeros(in.sharpness.shape(), weights.dtype());
  dispatch(weights.dtype(), [&]<class T>() {
    each_row<T>(rows, in, [&](Index i, T log_n, const PoolRow<T>& row) {
      T* out = dscores.write<T>() + (row.scores - in.scores.data<T>());
      const auto rest = weigh_backward(row, sinks.data<T>()[i], weights.data<T>() + i * length,
                                       step.dy().data<T>() + i * length, out);
      dsink.write<T>()[i % heads] += rest.sink;
      dsharpness.write<T>()[i % heads] += rest.factor * log_n;
    });
  });
  step.add(0, dscores);
  step.add(1, dsink);
  step.add(2, dsharpness);
}

}  // namespace

Var pool_weights(const PoolWeights& args) {
  const PoolTensors in{args.scores.value, args.sink.value, args.sharpness.value};
  const TokenRows rows = token_rows("attention pooling", in.scores, 3, args.valid);
  const Index heads = in.scores.dim(2), length = rows.length;
  check<ShapeError>(in.sink.size() == heads && in.sharpness.size() == heads,
                    "attention pooling: {} sinks and {} factors for {} heads", in.sink.size(),
                    in.sharpness.size(), heads);
  Tensor weights = Tensor::zeros({rows.batch, heads, length}, in.scores.dtype());
  Tensor sinks = Tensor::uninitialised({rows.batch, heads}, weights.dtype());
  dispatch(weights.dtype(), [&]<class T>() {
    each_row<T>(rows, in, [&](Index i, T /*log_n*/, const PoolRow<T>& row) {
      sinks.write<T>()[i] = weigh(row, weights.write<T>() + i * length);
    });
  });
  return record(
      weights, {&args.scores, &args.sink, &args.sharpness},
      [rows, in, weights, sinks](Backprop& step) { back(step, rows, in, weights, sinks); });
}

Var pool_mix(const Var& weights, const Var& v) {
  const Tensor &p = weights.value, &values = v.value;
  check<ShapeError>(p.rank() == 3 && values.rank() == 4 && p.dim(0) == values.dim(0) &&
                        p.dim(1) == values.dim(2) && p.dim(2) == values.dim(1),
                    "attention pooling: weights {} for values {}", p.shape(), values.shape());
  const Index heads = p.dim(1), length = p.dim(2), d = values.dim(3);
  // Weight i belongs to head i / length of the batch; its row of v starts at:
  const auto value_row = [heads, length, d](Index i) {
    const Index b = i / (heads * length), h = i / length % heads, t = i % length;
    return ((b * length + t) * heads + h) * d;
  };
  Tensor y = Tensor::zeros({p.dim(0), heads * d}, p.dtype());
  dispatch(y.dtype(), [&]<class T>() {
    const T *by = p.data<T>(), *from = values.data<T>();
    T* out = y.write<T>();
    for (Index i = 0; i < p.size(); ++i) {
      if (by[i] == T{0}) continue;  // padding may hold anything
      const Index row = value_row(i);
      for (Index j = 0; j < d; ++j) out[i / length * d + j] += by[i] * from[row + j];
    }
  });
  return record(y, {&weights, &v}, [p, values, value_row, length, d](Backprop& step) {
    Tensor dp = Tensor::zeros(p.shape(), p.dtype()), dv = Tensor::zeros(values.shape(), p.dtype());
    dispatch(p.dtype(), [&]<class T>() {
      const T *by = p.data<T>(), *from = values.data<T>(), *dy = step.dy().data<T>();
      T *to_p = dp.write<T>(), *to_v = dv.write<T>();
      for (Index i = 0; i < p.size(); ++i) {
        const Index row = value_row(i), summary = i / length * d;
        for (Index j = 0; j < d; ++j) {
          to_p[i] += dy[summary + j] * from[row + j];
          to_v[row + j] = by[i] * dy[summary + j];
        }
      }
    });
    step.add(0, dp);
    step.add(1, dv);
  });
}

}  // namespace heddle
