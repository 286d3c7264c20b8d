// See weights.hpp.
#include "heddle/nn/weights.hpp"

#include "heddle/base/index.hpp"
#include "heddle/base/memory/offered.hpp"
#include "heddle/base/rng.hpp"
#include "heddle/kernels/gemm.hpp"
#include "heddle/tensor/dispatch.hpp"

namespace heddle {

WeightId WeightLayout::add(WeightSpec spec) {
  constexpr Index kAlign = 16;
  spec.offset = size_;
  size_ += (spec.shape.size() + kAlign - 1) / kAlign * kAlign;
  specs_.push_back(std::move(spec));
  return static_cast<WeightId>(specs_.size()) - 1;
}

Index WeightLayout::parameter_count() const {
  Index count = 0;
  for (const WeightSpec& spec : specs_) count += spec.shape.size();
  return count;
}

namespace {

/// Room for all weights, where the system has so much.
Tensor room_for(const WeightLayout& layout, DType dtype) {
  const double number = dtype == DType::f32 ? sizeof(float) : sizeof(double);
  check_memory(number * static_cast<double>(layout.flat_size()),
               fmt::format("a model of {} parameters", layout.parameter_count()));
  return Tensor::zeros({layout.flat_size()}, dtype);
}

}  // namespace

Weights::Weights(const WeightLayout& layout, DType dtype)
    : layout_(&layout), flat_(room_for(layout, dtype)) {}

Weights::Weights(const WeightLayout& layout, Tensor flat)
    : layout_(&layout), flat_(std::move(flat)) {
  check<ShapeError>(flat_.size() == layout.flat_size(), "weights: a buffer of {} for {}",
                    flat_.size(), layout.flat_size());
}

void Weights::initialise(std::uint64_t seed) {
  for (const WeightSpec& spec : layout_->specs()) {
    Rng rng(seed, "init." + spec.path);
    dispatch(flat_.dtype(), [&]<class T>() {
      T* out = flat_.write_shared<T>() + spec.offset;
      if (!spec.start.empty()) {
        for (const double value : spec.start) *out++ = static_cast<T>(value);
        return;
      }
      for (Index i = 0; i < spec.shape.size(); ++i)
        out[i] = static_cast<T>(
            spec.init.mean + (spec.init.deviation == 0 ? 0.0 : spec.init.deviation * rng.normal()));
    });
  }
}

void Weights::copy(const Weights& others) const {
  dispatch(flat_.dtype(), [&]<class T>() {
    std::copy_n(others.flat_.data<T>(), flat_.size(), flat_.write_shared<T>());
  });
}

Tensor Weights::value(WeightId id) const {
  const WeightSpec& spec = (*layout_)[id];
  return flat_.window(spec.offset, spec.shape);
}

void Weights::pack() {
  if (flat_.dtype() != DType::f32) return;
  if (panel_offsets_.empty()) {
    Index total = 0;
    for (const WeightSpec& spec : layout_->specs()) {
      const bool matrix = spec.role == WeightRole::matrix;
      panel_offsets_.push_back(total);
      if (matrix) total += kernels::panel_size(spec.shape[0], spec.shape[1]);
      panel_offsets_.push_back(total);
      if (matrix) total += kernels::panel_size(spec.shape[1], spec.shape[0]);
    }
    panels_ = Tensor::zeros({total}, DType::f32);
  }
  repack(0, 1);
}

void Weights::repack(int first, int stride) const {
  const auto& specs = layout_->specs();
  for (auto i = to_size(first); i < specs.size(); i += to_size(stride)) {
    if (specs[i].role != WeightRole::matrix) continue;
    const Tensor w = value(static_cast<WeightId>(i));
    auto* panels = panels_.write_shared<float>();
    kernels::pack(w.rows<float>(), panels + panel_offsets_[2 * i]);
    kernels::pack_transposed(w.rows<float>(), panels + panel_offsets_[2 * i + 1]);
  }
}

const float* Weights::panel(WeightId id, bool transposed) const {
  if (panel_offsets_.empty()) return nullptr;
  return panels_.data<float>() + panel_offsets_[2 * to_size(id) + (transposed ? 1 : 0)];
}

}  // namespace heddle
