// See linear.hpp.
#include "heddle/ops/linear.hpp"

#include "heddle/tensor/dispatch.hpp"

namespace heddle {
namespace {

using kernels::Activation;
using kernels::Epilogue;
using kernels::Panels;

/// The panels of W or Wᵀ: those at hand, or laid out now into `storage`.
template <class T>
Panels<T> panels_of(const Tensor& w, const float* at_hand, bool transposed, Tensor& storage) {
  const Index k = transposed ? w.dim(1) : w.dim(0), n = transposed ? w.dim(0) : w.dim(1);
  if constexpr (std::is_same_v<T, float>)
    if (at_hand != nullptr) return {at_hand, k, n};
  storage = Tensor::uninitialised({kernels::panel_size(k, n)}, dtype_of<T>());
  if (transposed)
    kernels::pack_transposed(w.rows<T>(), storage.write<T>());
  else
    kernels::pack(w.rows<T>(), storage.write<T>());
  return {storage.data<T>(), k, n};
}

/// dx = dy Wᵀ, through the slope of x's own activation, plus what was gathered before.
template <class T>
void input_gradient(Backprop& b, const WeightMatrix& w, const Shape& x_shape) {
  Tensor before = b.take(0);
  Tensor dx =
      !before.empty() && before.unique() ? before : Tensor::uninitialised(x_shape, dtype_of<T>());
  Tensor storage;
  const auto panels = panels_of<T>(w.value.value, w.panels_transposed, true, storage);
  const Slope& slope = b.slope(0);
  Epilogue<T> epilogue;
  if (slope.activation != Activation::none) {
    epilogue.slope = slope.activation;
    epilogue.slope_of = slope.at.data<T>();
  }
  if (!before.empty()) epilogue.residual = before.rows<T>();
  const Index rows = dx.size() / dx.dim(-1);
  kernels::matmul(b.dy().rows<T>(), panels, epilogue,
                  matrix(dx.write_shared<T>(), rows, dx.dim(-1)));
  before = Tensor{};
  b.give(0, dx);
}

template <class T>
void weight_gradients(Backprop& b, const Tensor& x, bool with_bias) {
  GradientSlot dw = b.slot(1);
  GradientSlot db = with_bias ? b.slot(2) : GradientSlot{Tensor{}, dw.accumulate};
  if (with_bias && db.accumulate != dw.accumulate) {  // one flag serves both: clear the fresh one
    Tensor& fresh = db.accumulate ? dw.gradient : db.gradient;
    std::memset(fresh.write_shared<T>(), 0, fresh.bytes());
    dw.accumulate = true;
  }
  const Tensor& g = dw.gradient;
  kernels::weight_gradient(
      kernels::WeightGradient<T>{.x = x.rows<T>(),
                                 .dy = b.dy().rows<T>(),
                                 .dw = matrix(g.write_shared<T>(), g.dim(0), g.dim(1)),
                                 .dbias = with_bias ? db.gradient.write_shared<T>() : nullptr,
                                 .accumulate = dw.accumulate});
}

/// db = Σ_rows dy, for a bias whose weight is a constant.
template <class T>
void bias_gradient(Backprop& b) {
  const auto dy = b.dy().rows<T>();
  Tensor db = Tensor::zeros({dy.shape[1]}, dtype_of<T>());
  T* sum = db.write<T>();
  for (Index i = 0; i < dy.shape[0]; ++i)
    for (Index j = 0; j < dy.shape[1]; ++j) sum[j] += dy(i, j);
  b.add(2, db);
}

void check_shapes(const Tensor& x, const Tensor& w, const LinearOptions& options) {
  check<ShapeError>(w.rank() == 2 && x.dim(-1) == w.dim(0),
                    "linear: {} has {} columns but {} has {} rows", x.shape(), x.dim(-1), w.shape(),
                    w.dim(0));
  if (options.bias != nullptr)
    check<ShapeError>(options.bias->value.size() == w.dim(1), "linear: a bias of {} for {} outputs",
                      options.bias->value.size(), w.dim(1));
}

}  // namespace

Var linear(const Var& x, const WeightMatrix& w, const LinearOptions& options) {
  const Tensor& weight = w.value.value;
  check_shapes(x.value, weight, options);
  Shape shape = x.value.shape();
  shape[-1] = weight.dim(1);
  if (options.residual != nullptr)
    check<ShapeError>(options.residual->value.shape() == shape,
                      "linear: a residual of {} for a result of {}",
                      options.residual->value.shape(), shape);
  Tensor y = Tensor::uninitialised(shape, x.value.dtype());
  Slope slope{.activation = options.activation, .at = {}};
  if (options.activation == Activation::gelu)
    slope.at = Tensor::uninitialised(shape, x.value.dtype());
  check(options.activation == Activation::none || options.residual == nullptr,
        "linear: an activation and a residual in one product");
  dispatch(y.dtype(), [&]<class T>() {
    Tensor storage;
    const auto panels = panels_of<T>(weight, w.panels, false, storage);
    Epilogue<T> epilogue;
    if (options.bias != nullptr) epilogue.bias = options.bias->value.data<T>();
    epilogue.activation = options.activation;
    if (!slope.at.empty()) epilogue.pre_activation = slope.at.write<T>();
    if (options.residual != nullptr) epilogue.residual = options.residual->value.rows<T>();
    kernels::matmul(x.value.rows<T>(), panels, epilogue, y.write_rows<T>());
  });
  if (options.activation == Activation::relu) slope.at = y;
  const bool with_bias = options.bias != nullptr;
  return record(
      y, {&x, &w.value, options.bias, options.residual},
      [x = x.value, w, with_bias](Backprop& b) {
        dispatch(x.dtype(), [&]<class T>() {
          if (b.wants(1))
            weight_gradients<T>(b, x, with_bias && b.wants(2));
          else if (b.wants(2))
            bias_gradient<T>(b);
          if (b.wants(0)) input_gradient<T>(b, w, x.shape());
        });
        b.add(3, b.dy());
      },
      slope);
}

}  // namespace heddle
