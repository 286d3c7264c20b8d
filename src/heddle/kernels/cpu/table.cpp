// The table of this instruction set.
#include "heddle/kernels/cpu/kernels.hpp"
#include "heddle/kernels/cpu/tile.hpp"

namespace heddle::kernels::HEDDLE_ISA {
namespace {

#define HEDDLE_TEXT_OF(name) #name
#define HEDDLE_TEXT(name) HEDDLE_TEXT_OF(name)

constexpr Table kTable = {
    .name = HEDDLE_TEXT(HEDDLE_ISA),
    .panel_width = kLanes,
    .pack = pack,
    .pack_transposed = pack_transposed,
    .matmul_scratch = matmul_scratch,
    .matmul = matmul,
    .weight_gradient_scratch = weight_gradient_scratch,
    .weight_gradient = weight_gradient,
    .attention_scratch = attention_scratch,
    .attention_forward = attention_forward,
    .attention_backward = attention_backward,
    .layer_norm = layer_norm,
    .layer_norm_backward = layer_norm_backward,
    .softmax = softmax,
    .softmax_backward = softmax_backward,
    .cross_entropy = cross_entropy,
    .argmax = argmax,
    .embedding = embedding,
    .embedding_backward = embedding_backward,
    .add = add,
    .activate = activate,
    .activate_backward = activate_backward,
    .sum_of_squares = sum_of_squares,
    .adamw = adamw,
    .move_average = move_average,
    .multiply_adds = multiply_adds,
};

}  // namespace

const Table& table() {
  return kTable;
}

}  // namespace heddle::kernels::HEDDLE_ISA
