// The classifier's head: from a row per token to the logits of a sequence.
#pragma once

#include "heddle/nn/builder.hpp"
#include "heddle/nn/run.hpp"
#include "heddle/ops/pooling/pooling.hpp"

namespace heddle {

/// How a sequence becomes one verdict. The first five pool features, which a small network then
/// judges; the last three let the network judge every token and pool its verdicts.
enum class PoolingKind : std::uint8_t {
  mean,
  multi,
  max,
  cls,
  attention,
  noisy_or,
  token_max,
  lse
};

/// Does the pooling itself compare neighbours? With such a one, what is measured is no longer the
/// position encoding alone. Only `multi` does.
bool reads_order(PoolingKind kind);
/// Is the verdict the same for every order of the rows (but for rounding)? For `cls`: of all rows
/// but the summary's, which stays. All but `multi`.
bool symmetric(PoolingKind kind);
/// Is it tokens that are judged?
bool judges_tokens(PoolingKind kind);

struct ClassifierHeadSizes {
  Index d_model = 0;
  Index hidden = 64;
  Index classes = 2;
  Index heads = 1;  ///< of `attention`; they share d_model
  PoolingKind kind = PoolingKind::mean;
};

/// Features: pooled → relu(· w_in + b_in) w_out + b_out. Tokens: the same with one output at every
/// token, then noisy_or, token_max or token_lse.
class ClassifierHead {
 public:
  ClassifierHead(const Builder& at, const ClassifierHeadSizes& sizes);

  /// x [batch, position, d_model] → logits [batch, classes]. `valid` [batch, position] (0 =
  /// padding, null: none) must outlive the backward pass. `summary`: where the token of `cls`
  /// stands, `kLastToken` for the last of each sequence; the other poolings do not look at it.
  Var forward(Run& run, const Var& x, const std::uint8_t* valid, Index summary) const;

  const ClassifierHeadSizes& sizes() const { return sizes_; }

 private:
  void add_attention(const Builder& at);
  Var pooled(Run& run, const Var& x, const std::uint8_t* valid, Index summary) const;
  Var attended(Run& run, const Var& x, const std::uint8_t* valid) const;
  Var judged(Run& run, const Var& x) const;
  Var verdict(const Var& violation, const std::uint8_t* valid) const;

  ClassifierHeadSizes sizes_;
  // Of `attention` alone.
  WeightId query_ = -1, sink_ = -1, sharpness_ = -1, w_v_ = -1, b_v_ = -1;
  TapId scores_ = -1, pattern_ = -1, v_ = -1;
  WeightId w_in_ = -1, b_in_ = -1, w_out_ = -1, b_out_ = -1;
  TapId pooled_ = -1, hidden_ = -1, violation_ = -1;
};

}  // namespace heddle
