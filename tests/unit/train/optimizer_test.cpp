// The optimiser against the formulas of AdamW written out in double precision.
#include "heddle/train/optimizer.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "heddle/base/index.hpp"
#include "heddle/kernels/gemm.hpp"
#include "heddle/train/schedule.hpp"
#include "tests/support/tensors.hpp"

namespace heddle::testing {
namespace {

WeightLayout small_layout() {
  WeightLayout layout;
  layout.add({"w", {4, 5}, {}, WeightRole::matrix, 0, 0});
  layout.add({"b", {3}, {}, WeightRole::vector, 0, 0});
  return layout;
}

TrainConfig settings() {
  TrainConfig config;
  config.lr = 0.05;
  config.warmup = 2;
  config.steps = 8;
  config.weight_decay = 0.1;
  config.clip = 1;
  return config;
}

/// Three shards whose sum is the gradient of a step.
std::vector<Tensor> shards_of(long step, Index size) {
  std::vector<Tensor> shards;
  for (const char* name : {"x", "y", "z"})
    shards.push_back(random_tensor({size}, name + std::to_string(step), 1, DType::f32));
  return shards;
}

/// AdamW as it is written in books.
struct Book {
  const WeightLayout& layout;
  TrainConfig config;
  std::vector<double> w, m, v;

  double step(long t, const std::vector<Tensor>& shards) {
    std::vector<double> g(w.size(), 0.0);
    const bool adam = config.optimizer == OptimizerKind::adam;
    double square = 0;
    for (const WeightSpec& spec : layout.specs())
      for (auto i = to_size(spec.offset); i < to_size(spec.offset + spec.shape.size()); ++i) {
        for (const Tensor& shard : shards) g[i] += static_cast<double>(shard.data<float>()[i]);
        if (adam && spec.role == WeightRole::matrix) g[i] += config.weight_decay * w[i];
        square += g[i] * g[i];
      }
    const double norm = std::sqrt(square);
    const double scale = config.clip > 0 && norm > config.clip ? config.clip / norm : 1;
    for (const WeightSpec& spec : layout.specs())
      for (auto i = to_size(spec.offset); i < to_size(spec.offset + spec.shape.size()); ++i)
        move(i, t, g[i] * scale,
             !adam && spec.role == WeightRole::matrix ? config.weight_decay : 0);
    return norm;
  }
  void move(std::size_t i, long t, double g, double decay) {
    const auto n = static_cast<double>(t + 1);
    m[i] = config.beta1 * m[i] + (1 - config.beta1) * g;
    v[i] = config.beta2 * v[i] + (1 - config.beta2) * g * g;
    const double mean = m[i] / (1 - std::pow(config.beta1, n));
    const double square = v[i] / (1 - std::pow(config.beta2, n));
    w[i] -= learning_rate(config, t) * (mean / (std::sqrt(square) + config.epsilon) + decay * w[i]);
  }
};

/// A step rounds each weight a few times: 16 · u of numbers near 1, per step.
void expect_book(const TrainConfig& config, int threads) {
  const WeightLayout layout = small_layout();
  const auto size = to_size(layout.flat_size());
  const Tensor weights = random_tensor({layout.flat_size()}, "start", 1, DType::f32);
  Book book{layout, config, numbers_of(weights), std::vector<double>(size, 0.0),
            std::vector<double>(size, 0.0)};
  Optimizer optimizer(layout, config);
  Weights packed(layout, weights);
  packed.pack();
  Team team(threads);
  for (long t = 0; t < 8; ++t) {
    auto shards = shards_of(t, layout.flat_size());
    const double norm = book.step(t, shards);
    EXPECT_NEAR(optimizer.update(team, shards, t, packed), norm, 16 * kUnit * norm);
    for (const WeightSpec& spec : layout.specs())
      for (Index i = spec.offset; i < spec.offset + spec.shape.size(); ++i)
        ASSERT_NEAR(static_cast<double>(weights.data<float>()[i]), book.w[to_size(i)],
                    16 * static_cast<double>(t + 1) * kUnit)
            << spec.path << " step " << t;
  }
}

TEST(Optimizer, FollowsTheBook) {
  for (const int threads : {1, 2}) {
    expect_book(settings(), threads);
    TrainConfig adam = settings();
    adam.optimizer = OptimizerKind::adam;
    expect_book(adam, threads);
    TrainConfig free = settings();
    free.clip = 0;
    expect_book(free, threads);
  }
}

/// The panels are those of the moved weights, of every matrix, on any number of threads.
TEST(Optimizer, LaysOutThePanelsAnew) {
  const WeightLayout layout = small_layout();
  for (const int threads : {1, 3}) {
    Weights moved(layout, random_tensor({layout.flat_size()}, "start", 1, DType::f32));
    moved.pack();
    Optimizer optimizer(layout, settings());
    Team team(threads);
    auto shards = shards_of(0, layout.flat_size());
    optimizer.update(team, shards, 0, moved);
    Weights fresh(layout, moved.flat());
    fresh.pack();
    for (std::size_t i = 0; i < layout.specs().size(); ++i) {
      const WeightSpec& spec = layout.specs()[i];
      if (spec.role != WeightRole::matrix) continue;
      const auto id = static_cast<WeightId>(i);
      const Index size = kernels::panel_size(spec.shape[0], spec.shape[1]);
      const Index transposed = kernels::panel_size(spec.shape[1], spec.shape[0]);
      EXPECT_TRUE(std::equal(moved.panels(id), moved.panels(id) + size, fresh.panels(id)));
      EXPECT_TRUE(std::equal(moved.panels_transposed(id), moved.panels_transposed(id) + transposed,
                             fresh.panels_transposed(id)));
    }
  }
}

/// The average starts quickly and ends at its decay: a weight that stands still is reached.
TEST(Optimizer, AveragesTheWeights) {
  const WeightLayout layout = small_layout();
  TrainConfig config = settings();
  config.ema = 0.5;
  Optimizer optimizer(layout, config);
  Team team(1);
  const Tensor weights = random_tensor({layout.flat_size()}, "start", 1, DType::f32);
  Weights packed(layout, weights);
  packed.pack();
  std::vector<double> average(to_size(layout.flat_size()), 0.0);
  for (long t = 0; t < 6; ++t) {
    auto shards = shards_of(t, layout.flat_size());
    optimizer.update(team, shards, t, packed);
    const double decay =
        std::min(0.5, (1.0 + static_cast<double>(t)) / (10.0 + static_cast<double>(t)));
    for (std::size_t i = 0; i < average.size(); ++i)
      average[i] = decay * average[i] + (1 - decay) * static_cast<double>(weights.data<float>()[i]);
  }
  for (Index i = 0; i < 20; ++i)
    EXPECT_NEAR(static_cast<double>(optimizer.average().data<float>()[i]), average[to_size(i)],
                32 * kUnit);
}

}  // namespace
}  // namespace heddle::testing
