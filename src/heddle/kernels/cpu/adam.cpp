// One AdamW step, and the moving average of weights, each in one pass over memory.
#include "heddle/kernels/cpu/kernels.hpp"

namespace heddle::kernels::HEDDLE_ISA {
namespace {

/// Numbers so small that they change no weight become 0. Left alone, the moments of a weight
/// without gradient decay into denormal numbers, where every operation costs a hundred cycles.
inline Vec flush_tiny_to_zero(Vec x, float dust) {
  return choose((x < dust) & (x > -dust), Vec{}, x);
}

}  // namespace

void adamw(const RawAdamW& args) {
  for_each_vec(args.count, [&](Index i, Index lanes) {
    const Vec g = load_some(args.g + i, lanes) * args.gradient_scale;
    const Vec old_m = load_some(args.m + i, lanes);
    const Vec old_v = load_some(args.v + i, lanes);
    const Vec w = load_some(args.w + i, lanes);
    const Vec m = flush_tiny_to_zero(old_m * args.beta1 + g * args.rest1, 1e-30F);
    const Vec v = flush_tiny_to_zero(old_v * args.beta2 + g * g * args.rest2, 1e-36F);
    const Vec step = m * args.rate / (square_root(v * args.v_correction) + args.epsilon);
    store_some(args.m + i, m, lanes);
    store_some(args.v + i, v, lanes);
    store_some(args.w + i, w - (step + w * args.decay), lanes);
  });
}

void move_average(const RawMoveAverage& args) {
  for_each_vec(args.count, [&](Index i, Index lanes) {
    const Vec old = load_some(args.average + i, lanes);
    const Vec w = load_some(args.w + i, lanes);
    store_some(args.average + i, old * args.decay + w * args.rest, lanes);
  });
}

}  // namespace heddle::kernels::HEDDLE_ISA
