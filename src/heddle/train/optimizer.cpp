// See optimizer.hpp.
#include "heddle/train/optimizer.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "heddle/base/index.hpp"
#include "heddle/kernels/adam.hpp"
#include "heddle/kernels/elementwise.hpp"
#include "heddle/train/schedule.hpp"

namespace heddle {
namespace {

constexpr Index kSegment = 1 << 14;  // 64 KiB of each buffer: four of them fit the second cache

std::span<float> part(const Tensor& flat, Index offset, Index size) {
  return {flat.write_shared<float>() + offset, to_size(size)};
}

}  // namespace

Optimizer::Optimizer(const WeightLayout& layout, const TrainConfig& config) : config_(config) {
  for (const WeightSpec& spec : layout.specs()) {
    const std::size_t first = segments_.size();
    for (Index done = 0; done < spec.shape.size(); done += kSegment)
      segments_.push_back({spec.offset + done, std::min(kSegment, spec.shape.size() - done),
                           spec.role == WeightRole::matrix});
    stretches_.push_back({static_cast<WeightId>(stretches_.size()), first, segments_.size()});
  }
  // The largest first: threads take them in turn, so that each gets as many large ones.
  std::ranges::stable_sort(stretches_, std::greater{}, [&](const Stretch& stretch) {
    return layout[stretch.weight].shape.size();
  });
  squares_.resize(segments_.size());
  m_ = Tensor::zeros({layout.flat_size()}, DType::f32);
  v_ = Tensor::zeros({layout.flat_size()}, DType::f32);
  if (averages()) average_ = Tensor::zeros({layout.flat_size()}, DType::f32);
}

double Optimizer::update(Team& team, std::vector<Tensor>& gradients, long step,
                         const Weights& weights) {
  const auto pieces = static_cast<int>(segments_.size());
  team.run(pieces, [&](int piece) {
    const auto i = to_size(piece);
    squares_[i] = sum_gradients(segments_[i], gradients, weights.flat());
  });
  double square = 0;
  for (const double s : squares_) square += s;
  const double norm = std::sqrt(square);
  const double scale = config_.clip > 0 && norm > config_.clip ? config_.clip / norm : 1.0;
  const auto weight_count = static_cast<int>(stretches_.size());
  team.run(weight_count, [&](int piece) {
    const Stretch& stretch = stretches_[to_size(piece)];
    for (std::size_t i = stretch.first; i < stretch.end; ++i)
      move(segments_[i], gradients[0], step, scale, weights.flat());
    weights.repack(stretch.weight, weight_count);  // this one alone
  });
  return norm;
}

/// Neighbours first, then pairs of pairs: ((0+1)+(2+3)).
double Optimizer::sum_gradients(const Segment& segment, const std::vector<Tensor>& gradients,
                                const Tensor& weights) const {
  const auto of = [&](std::size_t shard) {
    return part(gradients[shard], segment.offset, segment.size);
  };
  for (std::size_t stride = 1; stride < gradients.size(); stride *= 2)
    for (std::size_t i = 0; i + stride < gradients.size(); i += 2 * stride)
      kernels::add(of(i), of(i + stride), of(i));
  if (config_.optimizer == OptimizerKind::adam && segment.decays && config_.weight_decay > 0) {
    const auto w = part(weights, segment.offset, segment.size);
    for (std::size_t i = 0; i < w.size(); ++i)
      of(0)[i] += static_cast<float>(config_.weight_decay) * w[i];
  }
  return kernels::sum_of_squares(of(0));
}

void Optimizer::move(const Segment& segment, const Tensor& gradient, long step, double scale,
                     const Tensor& weights) const {
  const auto of = [&](const Tensor& flat) { return part(flat, segment.offset, segment.size); };
  const bool decoupled = config_.optimizer == OptimizerKind::adamw && segment.decays;
  kernels::adamw(kernels::AdamW<float>{.w = of(weights),
                                       .m = of(m_),
                                       .v = of(v_),
                                       .g = of(gradient),
                                       .rate = learning_rate(config_, step),
                                       .beta1 = config_.beta1,
                                       .beta2 = config_.beta2,
                                       .epsilon = config_.epsilon,
                                       .weight_decay = decoupled ? config_.weight_decay : 0,
                                       .gradient_scale = scale,
                                       .step = step + 1});
  if (!averages()) return;
  // Early on the average follows quickly, so that the random start is soon forgotten.
  const double warm = (1.0 + static_cast<double>(step)) / (10.0 + static_cast<double>(step));
  kernels::move_average(of(weights), std::min(config_.ema, warm), of(average_));
}

}  // namespace heddle
