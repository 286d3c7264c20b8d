// See labelled_batch.hpp.
#include "heddle/task/labelled_batch.hpp"

#include <algorithm>

namespace heddle {

void LabelledBatch::resize(Index rows, Index row_tokens) {
  size = rows;
  length = row_tokens;
  tokens.resize(static_cast<std::size_t>(rows * row_tokens));
  valid.resize(static_cast<std::size_t>(rows * row_tokens));
  labels.resize(static_cast<std::size_t>(rows));
}

std::span<const std::int32_t> LabelledBatch::row(Index row) const {
  return {tokens.data() + row * length, static_cast<std::size_t>(length)};
}

std::span<std::int32_t> LabelledBatch::open_row(Index row, const RowLayout& layout, Index values) {
  const auto width = static_cast<std::size_t>(length);
  const auto used = static_cast<std::size_t>(layout.length(values));
  const std::span<std::int32_t> all(tokens.data() + row * length, width);
  const std::span<std::uint8_t> marks(valid.data() + row * length, width);
  std::ranges::fill(all.subspan(used), pad());
  std::ranges::fill(marks.first(used), std::uint8_t{1});
  std::ranges::fill(marks.subspan(used), std::uint8_t{0});
  if (layout.bos) all.front() = bos();
  if (layout.cls == ClsPlace::front) all[layout.bos ? 1 : 0] = cls();
  if (layout.cls == ClsPlace::back) all[used - 1] = cls();
  return all.subspan(static_cast<std::size_t>(layout.front()), static_cast<std::size_t>(values));
}

void put_row(const LabelledSequence& sequence, const RowLayout& layout, Index row,
             LabelledBatch& batch) {
  const auto places = batch.open_row(row, layout, static_cast<Index>(sequence.values.size()));
  std::ranges::copy(sequence.values, places.begin());
  batch.labels[static_cast<std::size_t>(row)] = sequence.sorted ? 1 : 0;
}

void encode(std::span<const LabelledSequence> sequences, const RowLayout& layout,
            LabelledBatch& batch) {
  std::size_t longest = 0;
  for (const LabelledSequence& sequence : sequences)
    longest = std::max(longest, sequence.values.size());
  batch.resize(static_cast<Index>(sequences.size()), layout.length(static_cast<Index>(longest)));
  for (Index row = 0; row < batch.size; ++row)
    put_row(sequences[static_cast<std::size_t>(row)], layout, row, batch);
}

}  // namespace heddle
