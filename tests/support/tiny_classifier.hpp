// A classifier so small that every encoding and pooling can be tried, with weights of which none is
// accidentally zero or one, and sequences for it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "heddle/model/classifier/rows.hpp"
#include "heddle/model/member.hpp"
#include "heddle/task/sortedness/sequence.hpp"

namespace heddle::testing {

/// Lengths 4-9, d_model 8, d_ff 12, two heads, two layers that look both ways.
Config tiny_sorter(PositionKind position, PoolingSetting pooling);

/// Every encoding, every pooling.
std::vector<PositionKind> all_positions();
std::vector<PoolingSetting> all_poolings();

/// "alibi_max": for the names of tests.
std::string sorter_name(const Config& config);

class TinyClassifier {
 public:
  explicit TinyClassifier(const Config& config, DType dtype = DType::f32);

  const Classifier& model() const { return *model_; }
  const Config& config() const { return config_; }
  const Weights& weights() const { return weights_; }
  Edits edits() const { return Edits(model_->taps()); }

  /// Logits [sequence, 2] of these, padded to the longest; the first one's places are drawn as
  /// number `first`.
  Tensor logits(const std::vector<Sequence>& sequences, const Edits* edits = nullptr,
                std::uint64_t first = 0) const;
  /// The same for an input of one's own.
  Tensor logits(const ModelInput& input, const Edits* edits = nullptr) const;

  /// What two ways to sum alike may differ by in logits as large as these: a layer passes at most 5
  /// products and 3 softmaxes or norms, each sum of at most `terms` has a relative error of
  /// terms · u, and norms may enlarge it by the ratio of their deviations, here below 16. The
  /// pooling and the two products of the head count as one more layer.
  double rounding(const Tensor& logits) const;

 private:
  Config config_;
  std::unique_ptr<Classifier> model_;
  Weights weights_;
};

/// Sequences of three lengths, the first the longest.
std::vector<Sequence> some_sequences();

}  // namespace heddle::testing
