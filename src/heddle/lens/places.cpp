// See places.hpp.
#include "heddle/lens/places.hpp"

#include <algorithm>

#include "heddle/base/index.hpp"

namespace heddle {
namespace {

/// Where one place's numbers stand among those of a tap, for one problem.
struct Window {
  std::size_t first = 0, count = 0, stride = 0, pieces = 1;
};

Window window_of(const Place& place, std::size_t row, std::size_t heads, std::size_t width) {
  const std::size_t step = heads * width;  // from position to position
  const std::size_t head = place.head < 0 ? 0 : to_size(place.head);
  const std::size_t count = place.head < 0 ? step : width;
  if (place.position >= 0)
    return {.first = to_size(place.position) * step + head * width, .count = count, .stride = step};
  return {.first = head * width, .count = count, .stride = step, .pieces = row / step};
}

}  // namespace

std::vector<TapId> stream_taps(const Member& member) {
  const TapTable& table = member.model->taps();
  std::vector<TapId> taps{table.with_role(TapRole::embedding).front()};
  std::ranges::copy(table.with_role(TapRole::block_end), std::back_inserter(taps));
  return taps;
}

Stream stream_at(const Member& member, TapId tap) {
  return member.model->taps()[tap].stream;
}

TapId logits_tap(const Member& member) {
  return member.model->taps().with_role(TapRole::logits).front();
}

bool sees_own_row_alone(const Member& member, TapId tap) {
  const TapTable& taps = member.model->taps();
  if (taps[tap].stream != Stream::target) return false;
  return std::ranges::none_of(taps.heads(), [&](const HeadGroup& group) {
    return group.keys == Stream::target && group.first_tap > tap;
  });
}

Index positions_at(const Member& member, const EncodedQuestions& set, TapId tap) {
  const TapPoint& point = member.model->taps()[tap];
  return point.role == TapRole::logits ? set.positions() : set.length(point.stream);
}

std::vector<Place> head_places(const Member& member) {
  std::vector<Place> places;
  for (const Head& head : heads_of(member))
    places.push_back({.name = head.name, .tap = head.z, .head = head.index});
  return places;
}

std::vector<TapId> taps_of(std::span<const Place> places) {
  std::vector<TapId> taps;
  for (const Place& place : places)
    if (std::ranges::find(taps, place.tap) == taps.end()) taps.push_back(place.tap);
  return taps;
}

TapValues::TapValues(const Member& member, const EncodedQuestions& set, std::span<const TapId> taps,
                     Team& team, const VariantProgress& progress)
    : by_tap_(member.model->taps().points().size()) {
  for (const TapId tap : taps) {
    const Shape& shape = member.model->taps()[tap].shape;  // 0 where the input decides
    Values& values = by_tap_[to_size(tap)];
    values.heads = shape.rank() == 4 ? to_size(shape[2]) : 1;
    values.width = to_size(shape[-1]);
    values.row = to_size(positions_at(member, set, tap)) * values.heads * values.width;
    values.numbers.resize(to_size(set.size) * values.row);
  }
  const auto see = [&](TapId tap, const ProblemBlock& block, const Tensor& x) {
    Values& values = by_tap_[to_size(tap)];
    const auto first = to_size(block.first) * values.row;
    std::ranges::copy(x.flat<float>(), values.numbers.begin() + static_cast<Index>(first));
  };
  watch_taps(member, set, taps, team, see, progress);
}

std::span<const float> TapValues::at(TapId tap, Index problem) const {
  const Values& values = by_tap_[to_size(tap)];
  return std::span(values.numbers).subspan(to_size(problem) * values.row, values.row);
}

std::span<const float> TapValues::at(const Place& place, Index problem) const {
  const Values& values = by_tap_[to_size(place.tap)];
  const Window window = window_of(place, values.row, values.heads, values.width);
  return at(place.tap, problem).subspan(window.first, window.count);
}

Variant transplant(const Place& place, const TapValues& donor) {
  const auto hang = [place, &donor](Edits& edits, const ProblemBlock& block) {
    edits.on(edits.table()[place.tap].path,
             [place, &donor, first = block.first](const TapSite&, const Var& x) {
               const Tensor& own = x.value;
               const auto batch = to_size(own.dim(0));
               const auto row = to_size(own.size()) / batch;
               const auto width = to_size(own.dim(-1));
               const auto heads = own.rank() == 4 ? to_size(own.dim(2)) : 1;
               const Window window = window_of(place, row, heads, width);
               Tensor out = Tensor::uninitialised(own.shape(), DType::f32);
               auto* to = out.write<float>();
               std::ranges::copy(own.flat<float>(), to);
               for (std::size_t i = 0; i < batch; ++i) {
                 const auto from = donor.at(place.tap, first + static_cast<Index>(i));
                 for (std::size_t piece = 0; piece < window.pieces; ++piece) {
                   const std::size_t at = window.first + piece * window.stride;
                   std::ranges::copy(from.subspan(at, window.count), to + i * row + at);
                 }
               }
               return Var{std::move(out)};
             });
  };
  return {.first_tap = place.tap, .hang = hang};
}

}  // namespace heddle
