// See rows.hpp.
#include "heddle/model/classifier/rows.hpp"

#include <algorithm>

#include "heddle/base/index.hpp"

namespace heddle {
namespace {

/// A sorted subset of 0 … kDrawnPlaces − 1, each equally likely: place by place, taken with the
/// chance that is left.
void draw_subset(Rng& rng, std::span<std::int32_t> out) {
  std::uint64_t wanted = out.size(), left = kDrawnPlaces;
  std::size_t at = 0;
  for (std::int32_t place = 0; wanted > 0; ++place, --left)
    if (rng.below(left) < wanted) {
      out[at++] = place;
      --wanted;
    }
}

/// The same for few places: distinct draws, sorted.
void draw_few(Rng& rng, std::span<std::int32_t> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto before = out.first(i);
    do out[i] = static_cast<std::int32_t>(rng.below(kDrawnPlaces));
    while (std::ranges::find(before, out[i]) != before.end());
  }
  std::ranges::sort(out);
}

}  // namespace

RowLayout layout_of(const ModelConfig& config) {
  return row_layout(config);
}

void draw_places(const ModelConfig& config, Rng& rng, Purpose purpose,
                 std::span<std::int32_t> places) {
  constexpr std::size_t kFew = 64;
  check<ShapeError>(std::ssize(places) <= kDrawnPlaces,
                    "position {}: a sequence of {} tokens; accepted is at most {}",
                    field_text(config.position), places.size(), kDrawnPlaces);
  if (config.position == PositionKind::randomised) {
    places.size() <= kFew ? draw_few(rng, places) : draw_subset(rng, places);
    return;
  }
  const std::uint64_t room = static_cast<std::uint64_t>(kDrawnPlaces) - places.size() + 1;
  const std::uint64_t start = purpose == Purpose::training ? rng.below(room) : 0;
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<std::int32_t>(start + i);
}

void ClassifierRows::fill(const LabelledBatch& batch, const ModelConfig& config,
                          const PlaceStream& stream) {
  const auto count = batch.tokens.size();
  pooled_.resize(count);
  for (std::size_t i = 0; i < count; ++i) pooled_[i] = batch.tokens[i] < batch.words ? 1 : 0;
  all_pooled_ = std::ranges::find(pooled_, 0) == pooled_.end();
  all_valid_ = std::ranges::find(batch.valid, 0) == batch.valid.end();
  summary_ = layout_of(config).cls == ClsPlace::back ? kLastToken : 0;
  if (config.pooling == PoolingSetting::cls) pooled_ = batch.valid;  // the summary is no value
  places_drawn_ =
      config.position == PositionKind::random_offset || config.position == PositionKind::randomised;
  if (!places_drawn_) return;
  places_.resize(count);
  const bool training = stream.purpose == Purpose::training;
  for (std::uint64_t row = 0; row < static_cast<std::uint64_t>(batch.size); ++row) {
    Rng rng(stream.seed, training ? "places.train" : "places.eval", stream.first + row);
    place_row(batch, config, rng, stream.purpose, static_cast<Index>(row));
  }
}

/// Padding draws nothing, so that a row does not depend on those it is padded beside; it stands
/// where the last token does.
void ClassifierRows::place_row(const LabelledBatch& batch, const ModelConfig& config, Rng& rng,
                               Purpose purpose, Index row) {
  const auto length = to_size(batch.length);
  const auto first = to_size(row) * length;
  const auto places = std::span(places_).subspan(first, length);
  const auto marks = std::span(batch.valid).subspan(first, length);
  const auto used = to_size(std::ranges::count(marks, 1));
  draw_places(config, rng, purpose, places.first(used));
  std::ranges::fill(places.subspan(used), used > 0 ? places[used - 1] : 0);
}

ModelInput ClassifierRows::part(const LabelledBatch& batch, Index first, Index size) const {
  const Index at = first * batch.length;
  return {.source = {.ids = batch.tokens.data() + at,
                     .batch = size,
                     .length = batch.length,
                     .valid = all_valid_ ? nullptr : batch.valid.data() + at,
                     .places = places_drawn_ ? places_.data() + at : nullptr},
          .pooled = all_pooled_ ? nullptr : pooled_.data() + at,
          .summary = summary_};
}

}  // namespace heddle
