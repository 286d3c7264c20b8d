// One self-attention on its own, with any encoding and normaliser, for tests of what it promises.
#pragma once

#include <vector>

#include "heddle/nn/attention.hpp"
#include "tests/support/all_of.hpp"
#include "tests/support/tensors.hpp"
#include "tests/support/tiny_model.hpp"

namespace heddle::testing {

/// A way to know places and to normalise.
struct Manner {
  RelativeKind kind = RelativeKind::none;
  Direction direction = Direction::both;
  Normaliser normaliser = Normaliser::softmax;
  bool causal = false;
};

/// Every encoding with every direction and normaliser.
inline std::vector<Manner> all_manners() {
  std::vector<Manner> all;
  for (const RelativeKind kind : all_of<RelativeKind>())
    for (const Direction direction : {Direction::both, Direction::split, Direction::causal})
      for (const Normaliser normaliser :
           {Normaliser::softmax, Normaliser::log_n, Normaliser::entmax})
        all.push_back({.kind = kind, .direction = direction, .normaliser = normaliser});
  return all;
}

inline constexpr Index kWidth = 8;

class LoneAttention {
 public:
  explicit LoneAttention(const Manner& manner, DType dtype = DType::f32)
      : attention_(Builder(blueprint_).at("self"),
                   {.d_model = kWidth,
                    .heads = 2,
                    .d_head = 4,
                    .causal = manner.causal,
                    .deviation_out = 0.5,
                    .relative = manner.kind,
                    .relative_sizes = {.reach = 3, .base = 100, .direction = manner.direction},
                    .normaliser = manner.normaliser}),
        weights_(blueprint_.weights, dtype) {
    weights_.initialise(1);
    perturb(weights_);
    weights_.pack();
  }

  const TapTable& taps() const { return blueprint_.taps; }
  const Weights& weights() const { return weights_; }
  Var forward(heddle::Run& run, const Var& x, const std::uint8_t* valid = nullptr) const {
    return attention_.forward(run, {.queries = x, .keys = x, .key_valid = valid});
  }
  /// The same one position at a time, keys and values kept.
  Tensor pass_cached(const Tensor& x) const {
    const Shape shape{x.dim(0), x.dim(1) + 2, 2, 4};
    KeyValues cache{Tensor::zeros(shape, DType::f32), Tensor::zeros(shape, DType::f32)};
    Tensor y = Tensor::uninitialised(x.shape(), DType::f32);
    heddle::Run run(weights_);
    for (Index t = 0; t < x.dim(1); ++t) {
      run.set_offset(t);
      const Var row{x.window(t * kWidth, {1, 1, kWidth})};
      const Var out = attention_.forward(run, {.queries = row, .keys = row, .cache = &cache});
      std::copy_n(out.value.data<float>(), kWidth, y.write<float>() + t * kWidth);
    }
    return y;
  }
  Tensor pass(const Tensor& x, const std::uint8_t* valid = nullptr,
              const Edits* edits = nullptr) const {
    heddle::Run run(weights_, edits);
    return forward(run, Var{x}, valid).value;
  }

 private:
  Blueprint blueprint_;
  Attention attention_;
  Weights weights_;
};

}  // namespace heddle::testing
