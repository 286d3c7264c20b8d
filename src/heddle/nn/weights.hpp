// All weights of a model in one flat buffer: what training moves, checkpoints save, members differ
// in.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heddle/base/index.hpp"
#include "heddle/nn/taps.hpp"
#include "heddle/tensor/tensor.hpp"

namespace heddle {

using WeightId = int;

/// How a weight starts: constant `mean` plus normal noise of `deviation`.
struct Init {
  double mean = 0;
  double deviation = 0;
};

enum class WeightRole : std::uint8_t {
  matrix,  ///< an operand of products: kept in panels too, decays
  table,   ///< rows looked up
  vector   ///< biases, gains
};

struct WeightSpec {
  std::string path;  ///< its tap, and its name in a checkpoint
  Shape shape;
  Init init;
  WeightRole role = WeightRole::vector;
  Index offset = 0;  ///< into the flat buffer
  TapId tap = -1;
  std::vector<double> start = {};  ///< if not empty: its numbers at the start, instead of `init`
};

/// Names, shapes and places of a model's weights.
class WeightLayout {
 public:
  WeightId add(WeightSpec spec);
  void set_start(WeightId id, std::vector<double> start) {
    specs_[to_size(id)].start = std::move(start);
  }
  const WeightSpec& operator[](WeightId id) const { return specs_[to_size(id)]; }
  const std::vector<WeightSpec>& specs() const { return specs_; }
  /// Length of the flat buffer; weights start at multiples of 16 numbers, gaps hold zeros.
  Index flat_size() const { return size_; }
  /// Numbers that are learned.
  Index parameter_count() const;

 private:
  std::vector<WeightSpec> specs_;
  Index size_ = 0;
};

/// Values for a layout, and the panels of its matrices. The layout must outlive them.
class Weights {
 public:
  Weights() = default;
  Weights(const WeightLayout& layout, DType dtype);
  /// Values that somebody else keeps in a flat buffer.
  Weights(const WeightLayout& layout, Tensor flat);

  /// Draws every weight from the stream "init.<path>" of this seed.
  void initialise(std::uint64_t seed);

  /// Takes the values of others of the same layout; panels stay as they are.
  void copy(const Weights& others) const;

  const WeightLayout& layout() const { return *layout_; }
  const Tensor& flat() const { return flat_; }
  Tensor value(WeightId id) const;

  /// Lays out the panels of all matrices anew; call after every change.
  void pack();
  /// The same for every `stride`-th weight from `first` on, once pack() has made the room: threads
  /// may share the work.
  void repack(int first, int stride) const;
  const float* panels(WeightId id) const { return panel(id, false); }
  const float* panels_transposed(WeightId id) const { return panel(id, true); }

 private:
  const float* panel(WeightId id, bool transposed) const;

  const WeightLayout* layout_ = nullptr;
  Tensor flat_;
  Tensor panels_;
  std::vector<Index> panel_offsets_;  // two per weight: W, Wᵀ
};

}  // namespace heddle
