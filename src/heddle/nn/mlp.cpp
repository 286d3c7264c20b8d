// See mlp.hpp.
#include "heddle/nn/mlp.hpp"

#include <cmath>

#include "heddle/ops/arithmetic.hpp"

namespace heddle {

Mlp::Mlp(const Builder& at, const MlpSizes& sizes) : sizes_(sizes) {
  w_in_ = at.matrix("w_in", sizes.d_model, sizes.d_ff,
                    {.mean = 0, .deviation = 1 / std::sqrt(static_cast<double>(sizes.d_model))});
  b_in_ = at.vector("b_in", sizes.d_ff, {});
  hidden_ = at.tap("hidden", axes::kStream, {sizes.d_ff});
  w_out_ =
      at.matrix("w_out", sizes.d_ff, sizes.d_model, {.mean = 0, .deviation = sizes.deviation_out});
  b_out_ = at.vector("b_out", sizes.d_model, {});
  out_ = at.tap("out", axes::kStream, {sizes.d_model});
}

Var Mlp::forward(Run& run, const Var& x, const Var* residual) const {
  const Var hidden = run.tap(
      hidden_,
      linear(x, run.matrix(w_in_), {.bias = &run.weight(b_in_), .activation = sizes_.activation}));
  const bool fuse = !run.watched({out_});
  Var out = linear(hidden, run.matrix(w_out_),
                   {.bias = &run.weight(b_out_), .residual = fuse ? residual : nullptr});
  if (fuse) return out;
  out = run.tap(out_, std::move(out));
  return residual != nullptr ? add(*residual, out) : out;
}

}  // namespace heddle
