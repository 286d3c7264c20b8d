// The examples of a task that a file brings: token ids, labels, and which of them train.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "heddle/base/index.hpp"
#include "heddle/task/file/example_limits.hpp"
#include "heddle/task/file/lexicon.hpp"
#include "heddle/task/file/text_lines.hpp"
#include "heddle/task/file/text_tokens.hpp"
#include "heddle/tensor/view.hpp"

namespace heddle {

/// pairs: an input and an output sequence. labels: an input and one label.
enum class ExampleForm : std::uint8_t { pairs, labels };

enum class Split : std::uint8_t { train, validation, test };
inline constexpr std::size_t kSplits = 3;
constexpr Names<kSplits> names_of(Split) {
  return {"train", "validation", "test"};
}

struct ExampleOptions {
  TokenKind tokens = TokenKind::words;
  std::string columns{};  ///< of .csv and .tsv: which are taken; see csv_columns.hpp
  // For files that have no `split` of their own:
  std::uint64_t seed = 1;         ///< decides which inputs are held out
  double validation_share = 0.1;  ///< of all examples
  double test_share = 0.1;
  Index most_held_out = 2000;  ///< examples, in validation and in test each; the rest trains
};

struct ExampleSet {
  ExampleForm form = ExampleForm::pairs;
  TokenKind token_kind = TokenKind::words;
  Lexicon
      tokens;  ///< of inputs and outputs; what a model needs beside them comes after the last id
  Lexicon labels;               ///< empty for pairs
  std::string reading{};        ///< how the file was read, where that does not go without saying
  bool own_splits = false;      ///< the file says which examples train
  Index moved_to_training = 0;  ///< held-out examples whose tokens or label training lacked

  Index size() const { return std::ssize(splits); }
  std::span<const std::int32_t> input(Index i) const;
  std::span<const std::int32_t> output(Index i) const;  ///< empty for labels
  std::int32_t label(Index i) const { return label_ids[to_size(i)]; }
  Split split(Index i) const { return splits[to_size(i)]; }
  /// Where the example begins in the file, from 1.
  Index line(Index i) const { return lines[to_size(i)]; }
  /// The examples of a split, in the file's order.
  std::span<const std::int32_t> examples_in(Split split) const { return members[to_size(split)]; }

  // How it is kept: an example's input and output stand one behind the other.
  std::vector<std::int32_t> token_ids;
  std::vector<std::uint64_t> starts;         ///< [size + 1] into token_ids
  std::vector<std::uint16_t> input_lengths;  ///< [size]
  std::vector<std::int32_t> label_ids;       ///< [size], or empty for pairs
  std::vector<Split> splits;                 ///< [size]
  std::vector<std::uint32_t> lines;          ///< [size]
  std::array<std::vector<std::int32_t>, kSplits> members;
};

/// Reads a file of any kind in config/kinds.hpp. UsageError for another extension or options out of
/// range; FileError with path and line for a file that cannot be read or trained on. Without a
/// `split` in the file, equal inputs always share a split.
ExampleSet read_examples(const std::string& path, const ExampleOptions& options = {},
                         const ReadProgress& progress = {});

/// By the path's extension; UsageError for another.
ExampleFile file_kind(const std::string& path);
/// The same from bytes that lie anywhere.
ExampleSet read_examples(ByteSource source, ExampleFile kind, const ExampleOptions& options = {},
                         const ReadProgress& progress = {});

/// Sixteen hexadecimal digits over the examples, in their order, and their splits: what decides a
/// training. The file's kind, quoting, line endings and line numbers do not matter.
std::string content_hash(const ExampleSet& set);

}  // namespace heddle
