// See pool_verdicts.hpp. One number per token is little work, so all of it is done in double.
#include "heddle/ops/pooling/pool_verdicts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "heddle/ops/embedding.hpp"
#include "heddle/ops/token_rows.hpp"
#include "heddle/tensor/dispatch.hpp"

namespace heddle {
namespace {

/// ln(1 + e^s).
double softplus(double s) {
  return std::max(s, 0.0) + std::log1p(std::exp(-std::abs(s)));
}

/// ln(1 − e^(−u)) for u > 0, on either side of where 1 − e^(−u) would cancel.
double log_complement(double u) {
  return u < std::log(2.0) ? std::log(-std::expm1(-u)) : std::log1p(-std::exp(-u));
}

/// ln Σ e^(s_t) over one sequence.
template <class T>
double log_sum(const TokenRows& rows, Index b, const T* s) {
  double top = -std::numeric_limits<double>::infinity(), sum = 0;
  rows.each(b, [&](Index t) { top = std::max(top, static_cast<double>(s[t])); });
  rows.each(b, [&](Index t) { sum += std::exp(static_cast<double>(s[t]) - top); });
  return top + std::log(sum);
}

/// −ln of the chance that no token objects, and ln of the chance that one does.
struct Chances {
  double u = 0, log_unsorted = 0;
};
template <class T>
Chances chances(const TokenRows& rows, Index b, const T* s) {
  constexpr double kFaint = 1e-200;  // below, softplus(s) is e^s, and u may underflow
  double u = 0;
  rows.each(b, [&](Index t) { u += softplus(static_cast<double>(s[t])); });
  return {u, u < kFaint ? log_sum(rows, b, s) : log_complement(u)};
}

/// (m, −m)/2 by sequence from m [batch].
template <class T>
void write_margins(const Tensor& m, T* logits) {
  for (const double margin : m.flat<double>()) {
    *logits++ = static_cast<T>(margin / 2);
    *logits++ = static_cast<T>(-margin / 2);
  }
}

}  // namespace

Var noisy_or(const Var& s, const std::uint8_t* valid) {
  const TokenRows rows = token_rows("noisy or", s.value, 2, valid);
  Tensor y = Tensor::uninitialised({rows.batch, 2}, s.value.dtype());
  dispatch(y.dtype(), [&]<class T>() {
    for (Index b = 0; b < rows.batch; ++b) {
      const Chances row = chances(rows, b, s.value.data<T>() + b * rows.length);
      y.write<T>()[2 * b] = static_cast<T>(row.log_unsorted);
      y.write<T>()[2 * b + 1] = static_cast<T>(-row.u);
    }
  });
  // ∂ ln P(sorted)/∂s_t = −σ(s_t); ∂ ln P(unsorted)/∂s_t = σ(s_t)/(e^u − 1), where
  // ln(e^u − 1) = u + ln P(unsorted): as logarithms nothing over- or underflows.
  return record(y, {&s}, [rows, s = s.value](Backprop& step) {
    Tensor ds = Tensor::zeros(s.shape(), s.dtype());
    dispatch(s.dtype(), [&]<class T>() {
      for (Index b = 0; b < rows.batch; ++b) {
        const T *row = s.data<T>() + b * rows.length, *dy = step.dy().data<T>() + 2 * b;
        T* out = ds.write<T>() + b * rows.length;
        const Chances at = chances(rows, b, row);
        rows.each(b, [&](Index t) {
          const double log_sigmoid = -softplus(-static_cast<double>(row[t]));
          const double unsorted = std::exp(log_sigmoid - at.u - at.log_unsorted);
          out[t] = static_cast<T>(static_cast<double>(dy[0]) * unsorted -
                                  static_cast<double>(dy[1]) * std::exp(log_sigmoid));
        });
      }
    });
    step.add(0, ds);
  });
}

Var token_max(const Var& s, const std::uint8_t* valid) {
  const TokenRows rows = token_rows("token max", s.value, 2, valid);
  Tensor y = Tensor::uninitialised({rows.batch, 2}, s.value.dtype());
  const Ids places(rows.batch);
  dispatch(y.dtype(), [&]<class T>() {
    Tensor m = Tensor::uninitialised({rows.batch}, DType::f64);
    for (Index b = 0; b < rows.batch; ++b) {
      const T* row = s.value.data<T>() + b * rows.length;
      Index best = rows.first(b);
      rows.each(b, [&](Index t) {  // a NaN wins and stays: it must not vanish
        if (row[t] > row[best] || std::isnan(row[t])) best = t;
      });
      places.data()[b] = static_cast<std::int32_t>(best);
      m.write<double>()[b] = static_cast<double>(row[best]);
    }
    write_margins(m, y.write<T>());
  });
  return record(y, {&s}, [rows, places, shape = s.value.shape()](Backprop& step) {
    Tensor ds = Tensor::zeros(shape, step.dy().dtype());
    dispatch(ds.dtype(), [&]<class T>() {
      const T* dy = step.dy().data<T>();
      for (Index b = 0; b < rows.batch; ++b)
        ds.write<T>()[b * rows.length + places.data()[b]] = (dy[2 * b] - dy[2 * b + 1]) / 2;
    });
    step.add(0, ds);
  });
}

Var token_lse(const Var& s, const std::uint8_t* valid) {
  const TokenRows rows = token_rows("token log-sum-exp", s.value, 2, valid);
  Tensor y = Tensor::uninitialised({rows.batch, 2}, s.value.dtype());
  Tensor m = Tensor::uninitialised({rows.batch}, DType::f64);
  dispatch(y.dtype(), [&]<class T>() {
    for (Index b = 0; b < rows.batch; ++b)
      m.write<double>()[b] = log_sum(rows, b, s.value.data<T>() + b * rows.length);
    write_margins(m, y.write<T>());
  });
  return record(y, {&s}, [rows, m, s = s.value](Backprop& step) {
    Tensor ds = Tensor::zeros(s.shape(), s.dtype());
    dispatch(s.dtype(), [&]<class T>() {
      for (Index b = 0; b < rows.batch; ++b) {
        const T *row = s.data<T>() + b * rows.length, *dy = step.dy().data<T>() + 2 * b;
        T* out = ds.write<T>() + b * rows.length;
        const double by = static_cast<double>(dy[0] - dy[1]) / 2, top = m.data<double>()[b];
        rows.each(b, [&](Index t) {
          out[t] = static_cast<T>(by * std::exp(static_cast<double>(row[t]) - top));
        });
      }
    });
    step.add(0, ds);
  });
}

}  // namespace heddle
