// What a classifier reads beside the tokens of a batch: which rows are padded, what is pooled, and
// places of its own where the encoding draws them.
#pragma once

#include <vector>

#include "heddle/base/rng.hpp"
#include "heddle/model/classifier/classifier.hpp"
#include "heddle/task/labelled_batch.hpp"

namespace heddle {

/// How many places random-offset and randomised draw from: twice the longest sequence that the
/// study asks about.
inline constexpr Index kDrawnPlaces = 8192;

/// The tokens that this model wants before and after the values: causal attention has a BOS to rest
/// on; the summary of pooling cls stands where it sees everything.
RowLayout layout_of(const ModelConfig& config);

/// Places of `length` tokens. random-offset: a run of neighbours that starts anywhere (in
/// evaluation at 0); randomised: a sorted subset of kDrawnPlaces. Nothing for other encodings.
void draw_places(const ModelConfig& config, Rng& rng, Purpose purpose,
                 std::span<std::int32_t> places);

using PlaceStream = RowDraws;

/// Filled again and again: once it has held its largest size, filling allocates nothing.
class ClassifierRows {
 public:
  void fill(const LabelledBatch& batch, const ModelConfig& config, const PlaceStream& stream);
  /// Rows `first` … `first + size − 1` of the batch that was filled in last.
  ModelInput part(const LabelledBatch& batch, Index first, Index size) const;

 private:
  void place_row(const LabelledBatch& batch, const ModelConfig& config, Rng& rng, Purpose purpose,
                 Index row);

  std::vector<std::uint8_t> pooled_;
  std::vector<std::int32_t> places_;
  bool all_pooled_ = true, all_valid_ = true, places_drawn_ = false;
  Index summary_ = 0;
};

}  // namespace heddle
