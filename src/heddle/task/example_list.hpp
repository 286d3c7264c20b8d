// Examples one after the other in flat memory, and as tokens for either kind of model.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heddle/task/batch.hpp"
#include "heddle/task/labelled_batch.hpp"
#include "heddle/task/questions.hpp"
#include "heddle/task/shape.hpp"

namespace heddle {

using ExampleView = Question;
using ExampleList = Questions;

/// Pairs as an encoder-decoder reads them: source [x… PAD…], in [BOS y… PAD…], out [y… EOS] and no
/// target on padding; padded to the longest of these examples.
void encode_pairs(const ExampleList& list, Index first, Index count, const TaskShape& shape,
                  Batch& batch);

/// Labelled inputs as a classifier reads them, padded likewise.
void encode_labels(const ExampleList& list, Index first, Index count, const RowLayout& layout,
                   const TaskShape& shape, LabelledBatch& batch);

}  // namespace heddle
