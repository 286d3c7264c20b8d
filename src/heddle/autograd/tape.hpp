// Reverse-mode differentiation: a tape of what was computed, replayed backwards. A tape is kept
// between steps and its closures live in a buffer of their own, so recording allocates nothing
// once it is warm.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <new>
#include <type_traits>
#include <vector>

#include "heddle/base/index.hpp"
#include "heddle/kernels/gemm.hpp"
#include "heddle/tensor/tensor.hpp"

namespace heddle {

class Tape;

/// A tensor and its place on a tape; off the tape it is a constant.
struct Var {
  Tensor value;
  Tape* tape = nullptr;
  int id = -1;
};

/// A place for a gradient: write it, or add to what is there.
struct GradientSlot {
  Tensor gradient;
  bool accumulate = false;
};

/// An activation that a value came out of. Its gradient is collected at the activation's *input*,
/// so that a product can fuse the slope into its epilogue.
struct Slope {
  kernels::Activation activation = kernels::Activation::none;
  Tensor at;  ///< relu: the output; gelu: the input
};

/// What an operation's backward pass sees: the gradient of its output and a place for each input's.
class Backprop {
 public:
  Backprop(Tape& tape, int node) : tape_(tape), node_(node) {}

  const Tensor& dy() const;
  /// Is this input on the tape at all?
  bool wants(int input) const;
  /// The gradient gathered for an input so far (may be empty). Give back the sum with `give`.
  Tensor take(int input);
  void give(int input, Tensor sum);
  /// The activation to differentiate through before `give` (an op that cannot, uses `add`).
  const Slope& slope(int input) const;
  /// Adds a gradient of the input's value, whatever was gathered before.
  void add(int input, const Tensor& part);
  /// A dense place to write or add an input's gradient (weights: their slice of the flat buffer).
  GradientSlot slot(int input);

 private:
  Tape& tape_;
  int node_;
};

class Tape {
 public:
  static constexpr std::size_t kMaxInputs = 6;

  Tape() = default;
  ~Tape() { clear(); }
  Tape(const Tape&) = delete;  // Vars point at it
  Tape& operator=(const Tape&) = delete;

  /// A value to differentiate by.
  Var leaf(Tensor value);
  /// A weight: its gradient is written to `gradient`, a window of a larger buffer.
  Var weight(Tensor value, Tensor gradient);

  /// Replays backwards from a single number. Every closure is destroyed as soon as it has run, so
  /// activations return to the pool while they are warm.
  void backward(const Var& loss);
  /// The gradient of a leaf or weight after `backward`; empty if nothing depends on it.
  const Tensor& gradient(const Var& v) const { return node(v.id).gradient; }
  /// Has anything been written to this weight's gradient?
  bool touched(const Var& v) const { return node(v.id).touched; }

  /// Forgets everything; keeps the memory.
  void clear();

  template <class F>
  Var push(Tensor value, std::initializer_list<const Var*> inputs, Slope slope, F backward) {
    static_assert(std::is_nothrow_move_constructible_v<F>);
    Node& added = add_node(value.shape(), value.dtype());
    std::size_t i = 0;
    for (const Var* input : inputs)
      added.inputs[i++] = input != nullptr && input->tape == this ? input->id : -1;
    added.slope = std::move(slope);
    added.closure = new (reserve(sizeof(F), alignof(F))) F(std::move(backward));
    added.run = [](void* f, Backprop& b) { (*static_cast<F*>(f))(b); };
    added.destroy = [](void* f) { static_cast<F*>(f)->~F(); };
    return {std::move(value), this, static_cast<int>(nodes_.size()) - 1};
  }

 private:
  friend class Backprop;

  struct Node {
    std::array<int, kMaxInputs> inputs{-1, -1, -1, -1, -1, -1};
    void* closure = nullptr;
    void (*run)(void*, Backprop&) = nullptr;
    void (*destroy)(void*) = nullptr;
    Shape shape;
    DType dtype = DType::f32;
    Tensor gradient;
    Slope slope;
    bool is_weight = false;  ///< `gradient` is a window of somebody's buffer
    bool touched = false;    ///< … and has been written
  };

  Node& add_node(const Shape& shape, DType dtype);
  void* reserve(std::size_t bytes, std::size_t alignment);
  void finish(Node& node);
  Node& node(int id) { return nodes_[to_size(id)]; }
  const Node& node(int id) const { return nodes_[to_size(id)]; }

  static constexpr std::size_t kChunk = std::size_t{1} << 16;
  std::vector<Node> nodes_;
  std::vector<std::vector<std::byte>> chunks_;  // closures
  std::size_t chunk_ = 0, used_ = 0;
};

/// Puts a result on the tape of its inputs; constants in, constant out. A null input is an operand
/// that the caller did not give. What the closure captures is what the op keeps for backward.
template <class F>
Var record(Tensor value, std::initializer_list<const Var*> inputs, F backward, Slope slope = {}) {
  Tape* tape = nullptr;
  for (const Var* input : inputs)
    if (input != nullptr && input->tape != nullptr) tape = input->tape;
  if (tape == nullptr) return {std::move(value)};
  return tape->push(std::move(value), inputs, std::move(slope), std::move(backward));
}

}  // namespace heddle
