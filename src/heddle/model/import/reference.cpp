// See reference.hpp.
#include "heddle/model/import/reference.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "heddle/base/index.hpp"
#include "heddle/model/input.hpp"
#include "heddle/tensor/dispatch.hpp"

namespace heddle {
namespace {

constexpr Index kBlock = 64;  // rows of one pass

/// Puts the logits of blocks one after the other.
class Collected {
 public:
  void add(const Tensor& block, Index rows) {
    if (all_.empty()) {
      Shape shape = block.shape();
      shape[0] = rows;
      all_ = Tensor::uninitialised(shape, block.dtype());
    }
    dispatch(block.dtype(),
             [&]<class T>() { std::copy_n(block.data<T>(), block.size(), all_.write<T>() + at_); });
    at_ += block.size();
  }
  Tensor take() { return std::move(all_); }

 private:
  Tensor all_;
  Index at_ = 0;
};

/// Terms of the sums that follow each other, from a token to its logit: products with d or d_ff
/// numbers, scores with d_head, softmax and mixture over the keys, mean and variance of each norm.
double chain(const ModelConfig& model, const Reference& reference) {
  const Index d = model.d_model, s = reference.source_length, t = reference.target_length;
  const auto attention = [&](Index keys) { return 2 * d + model.d_head() + 2 * keys; };
  const Index norm = 2 * d, mlp = d + model.d_ff, final_norm = model.has_final_norm() ? norm : 0;
  // The angles of a table that was made in float; see table_tolerance() in import.cpp.
  const Index table = model.position == PositionKind::sinusoidal ? 32 * std::max(s, t) : 0;
  const Index encoder = attention(s) + mlp + 2 * norm;
  if (t == 0) {
    constexpr Index kHidden = 64;
    const Index summaries = model.pooling == PoolingSetting::multi ? 5 : 1;
    return static_cast<double>(table + model.layers * encoder + final_norm + s + summaries * d +
                               kHidden);
  }
  const Index decoder = attention(t) + attention(s) + mlp + 3 * norm;
  return static_cast<double>(table + model.encoder_layers * encoder + final_norm +
                             model.decoder_layers * decoder + final_norm + d);
}

/// Their logits for our tokens. A token that they never say is infinitely unlikely; a class that
/// they do not have has the logit 0.
std::vector<double> in_our_order(std::span<const double> theirs, const TheirIds& ids, Index count,
                                 bool classifier) {
  std::vector<double> row;
  for (Index token = 0; token < count; ++token) {
    const auto id = their_id(ids, token);
    row.push_back(id ? theirs[to_size(*id)] : classifier ? 0.0 : -HUGE_VAL);
  }
  return row;
}

Index largest_of(std::span<const double> row) {
  return std::ranges::max_element(row) - row.begin();
}

}  // namespace

Tensor reference_logits(const Model& model, const Weights& weights, const Config& config,
                        const Reference& reference, const Edits* edits) {
  EncodedQuestions rows;
  rows.size = reference.rows;
  rows.source_length = reference.source_length;
  rows.target_length = reference.target_length;
  rows.labels = reference.target_length == 0;
  rows.source = reference.source;
  rows.target_in = reference.target;
  model.complete_rows({.seed = config.seed}, rows);
  Collected all;
  for (Index first = 0; first < reference.rows; first += kBlock) {
    Run run(weights, edits);
    const Index count = std::min(kBlock, reference.rows - first);
    all.add(model.forward(run, rows.part(first, count)).value, reference.rows);
  }
  return all.take();
}

Comparison compare_logits(const Tensor& ours, const Reference& reference, const Config& config,
                          const TokenIds& ids) {
  const bool classifier = reference.target_length == 0;
  const TheirIds& numbers = classifier ? ids.classes : ids.said;
  const Index mine = ours.dim(-1), others = reference.logits.dim(-1);
  const Index answers = ours.size() / mine;
  Comparison result{
      .depth = 2 * chain(config.model, reference), .unit = reference.unit, .answers = answers};
  const Tensor as_double = converted(ours, DType::f64);
  for (Index i = 0; i < answers; ++i) {
    const std::span our_row(as_double.data<double>() + i * mine, to_size(mine));
    const std::span all(reference.logits.data<double>() + i * others, to_size(others));
    const std::vector<double> their_row = in_our_order(all, numbers, mine, classifier);
    for (std::size_t token = 0; token < our_row.size(); ++token) {
      const double difference = std::abs(our_row[token] - their_row[token]);
      const bool seen = !std::isinf(their_row[token]);
      if (seen && (std::isnan(difference) || difference > result.largest_difference))
        result.largest_difference = difference;
    }
    for (const double logit : all)
      result.largest_logit = std::max(result.largest_logit, std::abs(logit));
    const Index best = largest_of(our_row), wanted = largest_of(their_row);
    // A token of theirs that we do not have may be their answer.
    const bool known = classifier || their_row[to_size(wanted)] == *std::ranges::max_element(all);
    if (best == wanted && known) ++result.same_answer;
  }
  return result;
}

}  // namespace heddle
