// What the files of this folder define, for the table: one set per instruction set.
#pragma once

#include "heddle/kernels/cpu/simd.hpp"
#include "heddle/kernels/table.hpp"

namespace heddle::kernels::HEDDLE_ISA {

const Table& table();

void pack(RawConstRows w, std::ptrdiff_t k, std::ptrdiff_t n, float* panels);
void pack_transposed(RawConstRows w, std::ptrdiff_t k, std::ptrdiff_t n, float* panels);
std::ptrdiff_t matmul_scratch(std::ptrdiff_t k);
void matmul(const RawMatmul& args);
std::ptrdiff_t weight_gradient_scratch(std::ptrdiff_t m, std::ptrdiff_t k, std::ptrdiff_t n);
void weight_gradient(const RawWeightGradient& args);

std::ptrdiff_t attention_scratch(std::ptrdiff_t keys, std::ptrdiff_t d, std::ptrdiff_t span);
void attention_forward(const RawAttentionForward& args);
void attention_backward(const RawAttentionBackward& args);

void layer_norm(const RawLayerNorm& args);
void layer_norm_backward(const RawLayerNormBackward& args);
void softmax(const RawSoftmax& args);
void softmax_backward(const RawSoftmaxBackward& args);
void cross_entropy(const RawCrossEntropy& args);
void argmax(const RawArgmax& args);
void embedding(const RawEmbedding& args);
void embedding_backward(const RawEmbeddingBackward& args);

void add(std::ptrdiff_t count, const float* a, const float* b, float* y);
void activate(Activation activation, std::ptrdiff_t count, const float* x, float* y);
void activate_backward(const RawActivateBackward& args);
double sum_of_squares(std::ptrdiff_t count, const float* x);
void adamw(const RawAdamW& args);
void move_average(const RawMoveAverage& args);

double multiply_adds(std::ptrdiff_t rounds);

}  // namespace heddle::kernels::HEDDLE_ISA
