// Examples one after the other in flat memory, and as tokens for either kind of model.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heddle/task/batch.hpp"
#include "heddle/task/labelled_batch.hpp"
#include "heddle/task/shape.hpp"

namespace heddle {

/// One example: words in, and words or one label out.
struct ExampleView {
  std::span<const std::int32_t> input, output;

  std::int32_t label() const { return output.front(); }
};

/// Filled again and again: once it has held its largest size, filling allocates nothing.
class ExampleList {
 public:
  void add(std::span<const std::int32_t> input, std::span<const std::int32_t> output);
  void clear();

  Index size() const { return static_cast<Index>(ends_.size()) / 2; }
  ExampleView operator[](Index i) const;
  /// Words of the longest input and output of examples [first, first + count).
  Index longest_input(Index first, Index count) const;
  Index longest_output(Index first, Index count) const;

 private:
  std::size_t start(std::size_t part) const { return part == 0 ? 0 : ends_[part - 1]; }

  std::vector<std::int32_t> words_;
  std::vector<std::size_t> ends_;  // of input, output, input, …
};

/// Pairs as an encoder-decoder reads them: source [x… PAD…], in [BOS y… PAD…], out [y… EOS] and no
/// target on padding; padded to the longest of these examples.
void encode_pairs(const ExampleList& list, Index first, Index count, const TaskShape& shape,
                  Batch& batch);

/// Labelled inputs as a classifier reads them, padded likewise.
void encode_labels(const ExampleList& list, Index first, Index count, const RowLayout& layout,
                   const TaskShape& shape, LabelledBatch& batch);

}  // namespace heddle
