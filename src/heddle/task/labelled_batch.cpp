// See labelled_batch.hpp.
#include "heddle/task/labelled_batch.hpp"

#include <algorithm>

#include "heddle/base/index.hpp"

namespace heddle {

void LabelledBatch::resize(Index rows, Index row_tokens) {
  size = rows;
  length = row_tokens;
  tokens.resize(to_size(rows * row_tokens));
  valid.resize(to_size(rows * row_tokens));
  labels.resize(to_size(rows));
}

std::span<const std::int32_t> LabelledBatch::row(Index row) const {
  return {tokens.data() + row * length, to_size(length)};
}

std::span<std::int32_t> LabelledBatch::open_row(Index row, const RowLayout& layout, Index values) {
  const auto width = to_size(length);
  const auto used = to_size(layout.length(values));
  const std::span<std::int32_t> all(tokens.data() + row * length, width);
  const std::span<std::uint8_t> marks(valid.data() + row * length, width);
  std::ranges::fill(all.subspan(used), pad());
  std::ranges::fill(marks.first(used), std::uint8_t{1});
  std::ranges::fill(marks.subspan(used), std::uint8_t{0});
  if (layout.bos) all.front() = bos();
  if (layout.cls == ClsPlace::front) all[layout.bos ? 1 : 0] = cls();
  if (layout.cls == ClsPlace::back) all[used - 1] = cls();
  return all.subspan(to_size(layout.front()), to_size(values));
}

void put_row(const LabelledSequence& sequence, const RowLayout& layout, Index row,
             LabelledBatch& batch) {
  const auto places = batch.open_row(row, layout, std::ssize(sequence.values));
  std::ranges::copy(sequence.values, places.begin());
  batch.labels[to_size(row)] = sequence.sorted ? 1 : 0;
}

void encode(std::span<const LabelledSequence> sequences, const RowLayout& layout,
            LabelledBatch& batch) {
  std::size_t longest = 0;
  for (const LabelledSequence& sequence : sequences)
    longest = std::max(longest, sequence.values.size());
  batch.resize(std::ssize(sequences), layout.length(static_cast<Index>(longest)));
  for (Index row = 0; row < batch.size; ++row) put_row(sequences[to_size(row)], layout, row, batch);
}

}  // namespace heddle
