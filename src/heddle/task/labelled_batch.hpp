// Sequences as a classifier reads them: rows of tokens, which of them count, and a label each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heddle/task/row_layout.hpp"
#include "heddle/task/sortedness/sequence.hpp"
#include "heddle/tensor/view.hpp"

namespace heddle {

/// The tokens beside the values 0 … 99 of sortedness.
inline constexpr std::int32_t kSortPad = kValueCount;
inline constexpr std::int32_t kSortBos = kValueCount + 1;
inline constexpr std::int32_t kSortCls = kValueCount + 2;
inline constexpr std::int32_t kSortVocabulary = kValueCount + 3;

/// Filled again and again: once it has held its largest size, filling allocates nothing.
struct LabelledBatch {
  Index size = 0;
  Index length = 0;
  std::int32_t words = kValueCount;  ///< tokens below it are values; PAD, BOS and CLS follow
  std::vector<std::int32_t> tokens;  ///< [size, length]
  std::vector<std::uint8_t> valid;   ///< [size, length] 1 for all but padding
  std::vector<std::int32_t> labels;  ///< [size]; sortedness: 1 = sorted, 0 = not

  std::int32_t pad() const { return words; }
  std::int32_t bos() const { return words + 1; }
  std::int32_t cls() const { return words + 2; }

  void resize(Index rows, Index row_tokens);
  std::span<const std::int32_t> row(Index row) const;
  /// Writes everything of a row but its values and label, and gives where the `values` values
  /// belong. The batch must be wide enough.
  std::span<std::int32_t> open_row(Index row, const RowLayout& layout, Index values);
};

struct LabelledSequence {
  Sequence values;
  bool sorted = false;
};

/// Writes one row, which must be wide enough.
void put_row(const LabelledSequence& sequence, const RowLayout& layout, Index row,
             LabelledBatch& batch);
/// As many rows as there are sequences, padded to the longest of them.
void encode(std::span<const LabelledSequence> sequences, const RowLayout& layout,
            LabelledBatch& batch);

}  // namespace heddle
