// See dense_scores.hpp: FIRE, a small network of two places.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>

#include "heddle/base/index.hpp"
#include "heddle/ops/dense_scores.hpp"
#include "heddle/tensor/dispatch.hpp"

namespace heddle {
namespace {

template <class T>
struct Network {
  T c, l;
  const T *w1, *b1, *w2;
  Index hidden, heads;
};

/// Two places as the network sees them, and how that moves with ln c and ln L.
template <class T>
struct Seen {
  T x, sign, dx_dlog_c, dx_dlog_l;

  Seen(const Network<T>& net, Index i, Index j) {
    const T far = static_cast<T>(std::abs(i - j)), place = static_cast<T>(std::max(i, j));
    const T end = std::max(net.l, place);
    const T over = std::log1p(net.c * far), under = std::log1p(net.c * end);
    x = over / under;
    sign = static_cast<T>((i > j) - (i < j));
    // ψ'(x) = c / (cx + 1); by ln c it is cx / (cx + 1).
    const T grown = net.c * end / (net.c * end + 1);
    dx_dlog_c = (net.c * far / (net.c * far + 1) - x * grown) / under;
    dx_dlog_l = net.l > place ? -x * grown / under : T{0};
  }
};

template <class T>
T hidden_of(const Network<T>& net, const Seen<T>& at, Index u) {
  return at.x * net.w1[u] + at.sign * net.w1[net.hidden + u] + net.b1[u];
}

template <class T>
void fire_forward(const Network<T>& net, const QueryRange& range, T* out) {
  const Index all = range.count * range.keys;
  Tensor scratch = Tensor::uninitialised({net.heads}, dtype_of<T>());
  const std::span<T> sums(scratch.write<T>(), to_size(net.heads));
  for (Index at = 0; at < all; ++at) {
    const Seen<T> seen(net, range.first + at / range.keys, at % range.keys);
    std::ranges::fill(sums, T{0});
    for (Index u = 0; u < net.hidden; ++u) {
      const T value = hidden_of(net, seen, u);
      if (value <= 0) continue;
      const T* w = net.w2 + u * net.heads;
      for (T& sum : sums) sum += value * *w++;
    }
    for (Index h = 0; h < net.heads; ++h) out[h * all + at] = sums[to_size(h)];
  }
}

template <class T>
struct Gradients {
  T *log_c, *log_l, *w1, *b1, *w2;
};

template <class T>
void fire_backward(const Network<T>& net, const QueryRange& range, const T* dy,
                   const Gradients<T>& d) {
  const Index all = range.count * range.keys;
  for (Index at = 0; at < all; ++at) {
    const Seen<T> seen(net, range.first + at / range.keys, at % range.keys);
    T dx = 0;
    for (Index u = 0; u < net.hidden; ++u) {
      const T value = hidden_of(net, seen, u);
      if (value <= 0) continue;
      T dvalue = 0;
      for (Index h = 0; h < net.heads; ++h) {
        d.w2[u * net.heads + h] += value * dy[h * all + at];
        dvalue += dy[h * all + at] * net.w2[u * net.heads + h];
      }
      d.w1[u] += dvalue * seen.x;
      d.w1[net.hidden + u] += dvalue * seen.sign;
      d.b1[u] += dvalue;
      dx += dvalue * net.w1[u];
    }
    *d.log_c += dx * seen.dx_dlog_c;
    *d.log_l += dx * seen.dx_dlog_l;
  }
}

/// The weights as values alone.
struct FireWeights {
  Tensor log_c, log_l, w1, b1, w2;

  template <class T>
  Network<T> network() const {
    return {.c = std::exp(*log_c.data<T>()),
            .l = std::exp(*log_l.data<T>()),
            .w1 = w1.data<T>(),
            .b1 = b1.data<T>(),
            .w2 = w2.data<T>(),
            .hidden = w2.dim(0),
            .heads = w2.dim(1)};
  }
};

}  // namespace

Var fire_scores(const FireArgs& args, const QueryRange& range) {
  const Tensor &w1 = args.w1.value, &w2 = args.w2.value;
  check<ShapeError>(w1.rank() == 2 && w2.rank() == 2 && w1.dim(0) == 2 && w1.dim(1) == w2.dim(0) &&
                        args.b1.value.size() == w2.dim(0),
                    "fire: {} and {} are not the weights of two inputs", w1.shape(), w2.shape());
  const FireWeights weights{.log_c = args.log_c.value,
                            .log_l = args.log_l.value,
                            .w1 = w1,
                            .b1 = args.b1.value,
                            .w2 = w2};
  Tensor y = Tensor::uninitialised({1, w2.dim(1), range.count, range.keys}, w2.dtype());
  dispatch(y.dtype(), [&]<class T>() { fire_forward(weights.network<T>(), range, y.write<T>()); });
  return record(y, {&args.log_c, &args.log_l, &args.w1, &args.b1, &args.w2},
                [weights, range](Backprop& b) {
                  const auto zeros = [](const Tensor& like) {
                    return Tensor::zeros(like.shape(), like.dtype());
                  };
                  Tensor dc = zeros(weights.log_c), dl = zeros(weights.log_l);
                  Tensor dw1 = zeros(weights.w1), db1 = zeros(weights.b1), dw2 = zeros(weights.w2);
                  dispatch(dw2.dtype(), [&]<class T>() {
                    fire_backward<T>(weights.network<T>(), range, b.dy().data<T>(),
                                     {.log_c = dc.write<T>(),
                                      .log_l = dl.write<T>(),
                                      .w1 = dw1.write<T>(),
                                      .b1 = db1.write<T>(),
                                      .w2 = dw2.write<T>()});
                  });
                  b.add(0, dc);
                  b.add(1, dl);
                  b.add(2, dw1);
                  b.add(3, db1);
                  b.add(4, dw2);
                });
}

}  // namespace heddle
