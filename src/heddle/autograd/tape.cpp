// See tape.hpp.
#include "heddle/autograd/tape.hpp"

#include "heddle/base/index.hpp"
#include "heddle/kernels/elementwise.hpp"
#include "heddle/tensor/dispatch.hpp"

namespace heddle {
namespace {

template <class T>
std::span<T> write_span(Tensor& t) {
  return {t.write_shared<T>(), to_size(t.size())};
}

/// total + part, in place where nobody else holds the total.
Tensor sum(Tensor total, const Tensor& part) {
  Tensor out = total.unique() ? total : Tensor::uninitialised(part.shape(), part.dtype());
  dispatch(part.dtype(),
           [&]<class T>() { kernels::add(total.flat<T>(), part.flat<T>(), write_span<T>(out)); });
  return out;
}

/// part ∘ activation'(slope.at).
Tensor through(const Slope& slope, const Tensor& part) {
  Tensor out = Tensor::uninitialised(part.shape(), part.dtype());
  dispatch(part.dtype(), [&]<class T>() {
    kernels::activate_backward(kernels::ActivateBackward<T>{.activation = slope.activation,
                                                            .at = slope.at.flat<T>(),
                                                            .dy = part.flat<T>(),
                                                            .dx = write_span<T>(out)});
  });
  return out;
}

}  // namespace

const Tensor& Backprop::dy() const {
  return tape_.node(node_).gradient;
}

bool Backprop::wants(int input) const {
  return tape_.node(node_).inputs[to_size(input)] >= 0;
}

Tensor Backprop::take(int input) {
  auto& to = tape_.node(tape_.node(node_).inputs[to_size(input)]);
  check(!to.is_weight, "backward: a weight's gradient is written through its slot");
  return std::exchange(to.gradient, Tensor{});
}

void Backprop::give(int input, Tensor sum) {
  tape_.node(tape_.node(node_).inputs[to_size(input)]).gradient = std::move(sum);
}

const Slope& Backprop::slope(int input) const {
  return tape_.node(tape_.node(node_).inputs[to_size(input)]).slope;
}

void Backprop::add(int input, const Tensor& part) {
  if (!wants(input)) return;
  auto& to = tape_.node(tape_.node(node_).inputs[to_size(input)]);
  if (to.is_weight) {
    dispatch(part.dtype(), [&]<class T>() {
      const auto into = write_span<T>(to.gradient);
      if (to.touched)
        kernels::add(into, part.flat<T>(), into);
      else
        std::copy_n(part.data<T>(), part.size(), into.data());
    });
    to.touched = true;
    return;
  }
  const Tensor scaled =
      to.slope.activation == kernels::Activation::none ? part : through(to.slope, part);
  to.gradient = to.gradient.empty() ? scaled : sum(std::move(to.gradient), scaled);
}

GradientSlot Backprop::slot(int input) {
  auto& to = tape_.node(tape_.node(node_).inputs[to_size(input)]);
  if (to.is_weight) return {to.gradient, std::exchange(to.touched, true)};
  check(to.slope.activation == kernels::Activation::none, "backward: an activation has no slot");
  const bool fresh = to.gradient.empty();
  if (fresh) to.gradient = Tensor::uninitialised(to.shape, to.dtype);
  if (!fresh && !to.gradient.unique()) {  // somebody else reads these numbers: copy before adding
    const Tensor shared = to.gradient;
    to.gradient = converted(shared, shared.dtype());
  }
  return {to.gradient, !fresh};
}

Var Tape::leaf(Tensor value) {
  add_node(value.shape(), value.dtype());
  return {std::move(value), this, static_cast<int>(nodes_.size()) - 1};
}

Var Tape::weight(Tensor value, Tensor gradient) {
  Node& added = add_node(value.shape(), value.dtype());
  added.gradient = std::move(gradient);
  added.is_weight = true;
  return {std::move(value), this, static_cast<int>(nodes_.size()) - 1};
}

Tape::Node& Tape::add_node(const Shape& shape, DType dtype) {
  Node& added = nodes_.emplace_back();
  added.shape = shape;
  added.dtype = dtype;
  return added;
}

/// Recording order is already a topological order, so backward is one loop.
void Tape::backward(const Var& loss) {
  check(loss.tape == this && loss.value.size() == 1,
        "backward: the loss must be a single number on this tape, got {}", loss.value.shape());
  Tensor one = Tensor::uninitialised(loss.value.shape(), loss.value.dtype());
  dispatch(one.dtype(), [&]<class T>() { *one.write<T>() = 1; });
  node(loss.id).gradient = one;
  for (int id = static_cast<int>(nodes_.size()) - 1; id >= 0; --id) {
    Node& here = node(id);
    if (here.closure == nullptr) continue;
    if (!here.gradient.empty()) {
      Backprop step(*this, id);
      here.run(here.closure, step);
      here.gradient = Tensor{};
    }
    finish(here);
  }
}

void Tape::finish(Node& node) {
  if (node.closure != nullptr) node.destroy(std::exchange(node.closure, nullptr));
  node.slope = {};
}

void Tape::clear() {
  for (Node& node : nodes_) finish(node);
  nodes_.clear();
  chunk_ = used_ = 0;
}

void* Tape::reserve(std::size_t bytes, std::size_t alignment) {
  check(bytes <= kChunk, "tape: a closure of {} bytes", bytes);
  used_ = (used_ + alignment - 1) / alignment * alignment;
  if (chunk_ < chunks_.size() && used_ + bytes > kChunk) {
    ++chunk_;
    used_ = 0;
  }
  if (chunk_ == chunks_.size()) chunks_.emplace_back(kChunk);
  void* at = chunks_[chunk_].data() + used_;
  used_ += bytes;
  return at;
}

}  // namespace heddle
