// The float kernels of one instruction set: a table of functions on plain pointers.
// Nothing here may have a constructor, a member function or a std:: type: the files of cpu/ are
// compiled once per instruction set, and an inline function they share could be linked in its
// AVX-512 form into a program that runs on a machine without it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "heddle/kernels/activation.hpp"

namespace heddle::kernels {

/// Row i of a matrix starts at data + i·stride. `data` may be null where a matrix is optional.
struct RawRows {
  float* data;
  std::ptrdiff_t stride;
};
struct RawConstRows {
  const float* data;
  std::ptrdiff_t stride;
};

/// See Epilogue in gemm.hpp.
struct RawEpilogue {
  const float* bias;
  float* pre_activation;
  Activation activation;
  const float* slope_of;
  Activation slope;
  RawConstRows residual;
};

/// y [m, n] = epilogue(x [m, k] · panels).
struct RawMatmul {
  std::ptrdiff_t m, k, n;
  RawConstRows x;
  const float* panels;
  RawEpilogue epilogue;
  RawRows y;
  float* scratch;  ///< matmul_scratch(k) numbers
};

/// dw [k, n] (+)= xᵀ dy; dbias (+)= Σ_rows dy.
struct RawWeightGradient {
  std::ptrdiff_t m, k, n;
  RawConstRows x, dy;
  RawRows dw;
  float* dbias;
  bool accumulate;
  float* scratch;  ///< weight_gradient_scratch(m, k, n) numbers
};

/// See AttentionShape in attention.hpp; `scale` in float.
struct RawAttentionShape {
  std::ptrdiff_t batch, heads, queries, keys, d;
  bool causal;
  std::ptrdiff_t offset;
  const std::uint8_t* key_valid;
  float scale;
};
/// See DistanceBias in attention.hpp.
struct RawDistanceBias {
  const float* table;
  std::ptrdiff_t span;
};
struct RawAttentionForward {
  RawAttentionShape shape;
  RawConstRows q, k, v;
  RawRows z;
  float* lse;
  RawDistanceBias bias;
  float* scratch;  ///< attention_scratch(keys, d, span) numbers
};
struct RawAttentionBackward {
  RawAttentionShape shape;
  RawConstRows q, k, v, z, dz;
  const float* lse;
  RawRows dq, dk, dv;
  RawDistanceBias bias;
  float* dbias;
  float* scratch;  ///< attention_scratch(keys, d, span) numbers
};

struct RawLayerNorm {
  std::ptrdiff_t rows, columns;
  RawConstRows x;
  const float *gain, *bias;
  float epsilon;
  RawRows y;
  float *mean, *rstd;
};
struct RawLayerNormBackward {
  std::ptrdiff_t rows, columns;
  RawConstRows x, dy;
  const float *gain, *mean, *rstd;
  RawConstRows add;
  RawRows dx;
  float *dgain, *dbias;  ///< added to
};

struct RawSoftmax {
  std::ptrdiff_t rows, columns;
  RawConstRows x;
  RawRows y;
};
struct RawSoftmaxBackward {
  std::ptrdiff_t rows, columns;
  RawConstRows y, dy;
  RawRows dx;
};

struct RawCrossEntropy {
  std::ptrdiff_t rows, columns;
  RawConstRows logits;
  const std::int32_t* targets;
  float weight;
  float* loss;
  RawRows dlogits;
};
struct RawArgmax {
  std::ptrdiff_t rows, columns;
  RawConstRows logits;
  std::int32_t* best;
};

struct RawEmbedding {
  std::ptrdiff_t rows, columns;
  RawConstRows table;
  const std::int32_t* ids;
  RawConstRows positions;
  const std::int32_t* position_ids;
  RawRows y;
};
struct RawEmbeddingBackward {
  std::ptrdiff_t rows, columns;
  RawConstRows dy;
  const std::int32_t* ids;
  RawRows dtable;
};

struct RawActivateBackward {
  Activation activation;
  std::ptrdiff_t count;
  const float *at, *dy;
  float* dx;
};

/// The coefficients of one AdamW step, with the corrections for its first steps worked in.
struct RawAdamW {
  std::ptrdiff_t count;
  float *w, *m, *v;
  const float* g;
  float beta1, beta2;
  float rest1, rest2;  ///< 1 − β₁ and 1 − β₂, rounded once
  float gradient_scale;
  float rate;          ///< rate / (1 − β₁ᵗ)
  float v_correction;  ///< 1 / (1 − β₂ᵗ)
  float epsilon;
  float decay;  ///< rate · weight_decay
};

/// average = decay · average + rest · w, where rest = 1 − decay.
struct RawMoveAverage {
  std::ptrdiff_t count;
  const float* w;
  float decay, rest;
  float* average;
};

struct Table {
  const char* name;
  std::ptrdiff_t panel_width;

  void (*pack)(RawConstRows w, std::ptrdiff_t k, std::ptrdiff_t n, float* panels);
  void (*pack_transposed)(RawConstRows w, std::ptrdiff_t k, std::ptrdiff_t n, float* panels);
  std::ptrdiff_t (*matmul_scratch)(std::ptrdiff_t k);
  void (*matmul)(const RawMatmul& args);
  std::ptrdiff_t (*weight_gradient_scratch)(std::ptrdiff_t m, std::ptrdiff_t k, std::ptrdiff_t n);
  void (*weight_gradient)(const RawWeightGradient& args);

  std::ptrdiff_t (*attention_scratch)(std::ptrdiff_t keys, std::ptrdiff_t d, std::ptrdiff_t span);
  void (*attention_forward)(const RawAttentionForward& args);
  void (*attention_backward)(const RawAttentionBackward& args);

  void (*layer_norm)(const RawLayerNorm& args);
  void (*layer_norm_backward)(const RawLayerNormBackward& args);
  void (*softmax)(const RawSoftmax& args);
  void (*softmax_backward)(const RawSoftmaxBackward& args);
  void (*cross_entropy)(const RawCrossEntropy& args);
  void (*argmax)(const RawArgmax& args);
  void (*embedding)(const RawEmbedding& args);
  void (*embedding_backward)(const RawEmbeddingBackward& args);

  void (*add)(std::ptrdiff_t count, const float* a, const float* b, float* y);
  void (*activate)(Activation activation, std::ptrdiff_t count, const float* x, float* y);
  void (*activate_backward)(const RawActivateBackward& args);
  double (*sum_of_squares)(std::ptrdiff_t count, const float* x);
  void (*adamw)(const RawAdamW& args);
  void (*move_average)(const RawMoveAverage& args);

  double (*multiply_adds)(std::ptrdiff_t rounds);
};

/// The table in use (see isa.hpp).
const Table& active_table();

}  // namespace heddle::kernels
