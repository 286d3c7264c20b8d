// See example_list.hpp.
#include "heddle/task/example_list.hpp"

#include <algorithm>

#include "heddle/base/index.hpp"

namespace heddle {

void encode_pairs(const ExampleList& list, Index first, Index count, const TaskShape& shape,
                  Batch& batch) {
  const Index longest = list.longest_input(first, count);
  batch.resize(count, longest, list.longest_output(first, count) + 1);
  bool padded = false;
  for (Index row = 0; row < count; ++row) {
    const auto [input, output] = list[first + row];
    padded = padded || std::ssize(input) < longest;
    const auto source = batch.source_row(row), in = batch.target_in_row(row),
               out = batch.target_out_row(row);
    std::ranges::fill(std::ranges::copy(input, source.begin()).out, source.end(), shape.pad());
    in[0] = shape.bos();
    std::ranges::fill(std::ranges::copy(output, in.begin() + 1).out, in.end(), shape.pad());
    std::ranges::fill(std::ranges::copy(output, out.begin()).out, out.end(), kNoTarget);
    out[output.size()] = shape.eos();
  }
  batch.source_valid.clear();
  if (!padded) return;
  batch.source_valid.resize(batch.source.size());
  for (std::size_t i = 0; i < batch.source.size(); ++i)
    batch.source_valid[i] = batch.source[i] == shape.pad() ? 0 : 1;
}

void encode_labels(const ExampleList& list, Index first, Index count, const RowLayout& layout,
                   const TaskShape& shape, LabelledBatch& batch) {
  batch.words = static_cast<std::int32_t>(shape.words);
  batch.resize(count, layout.length(list.longest_input(first, count)));
  for (Index row = 0; row < count; ++row) {
    const ExampleView example = list[first + row];
    const auto places = batch.open_row(row, layout, std::ssize(example.input));
    std::ranges::copy(example.input, places.begin());
    batch.labels[to_size(row)] = example.label();
  }
}

}  // namespace heddle
