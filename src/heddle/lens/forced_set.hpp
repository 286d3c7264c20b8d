// Questions with their right answers, as a model reads them: of addition, of sortedness or of any
// task whose examples are words.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "heddle/model/classifier/rows.hpp"
#include "heddle/model/member.hpp"
#include "heddle/task/addition/encoding.hpp"
#include "heddle/task/addition/problem.hpp"
#include "heddle/task/batch.hpp"
#include "heddle/task/example_list.hpp"

namespace heddle {

/// A decoder reads the true answer. Exact match needs no more: up to its first mistake greedy
/// decoding reads the same.
class ForcedSet {
 public:
  /// Of addition.
  ForcedSet(const TaskConfig& task, std::span<const Problem> problems);
  /// Of any task of words: examples [first, first + count); padded to the longest of them.
  ForcedSet(const Config& config, const ExampleList& list, Index first, Index count);
  /// Of sortedness.
  ForcedSet(const Config& config, std::span<const LabelledSequence> sequences);

  Index size() const { return labels_ ? labelled_.size : batch_.size; }
  /// Rows `first` … `first + count − 1`, as the model takes them.
  ModelInput input(Index first, Index count) const;
  Tokens source(Index first, Index count) const { return input(first, count).source; }
  Tokens target(Index first, Index count) const { return input(first, count).target; }

  bool labels() const { return labels_; }
  Index source_length() const { return labels_ ? labelled_.length : batch_.source_length; }
  Index target_length() const { return batch_.target_length; }  ///< 0 for labels
  /// Answers of one question: target positions, or 1 for a label.
  Index positions() const { return labels_ ? 1 : batch_.target_length; }
  /// What should be said, [size, positions]; kNoTarget where nothing is asked.
  std::span<const std::int32_t> wanted() const { return wanted_; }
  std::span<const std::int32_t> wanted(Index row) const;
  /// What the loss asks for: the same, but for what a defect leaves out.
  const std::int32_t* targets(Index first) const;
  /// No answer to this question counts as right (a defect's first digit).
  bool hopeless(Index row) const {
    return !hopeless_.empty() && hopeless_[static_cast<std::size_t>(row)] != 0;
  }
  /// Positions of this stream; 0 where the model has none.
  Index length(Stream stream) const {
    return stream == Stream::source ? source_length() : target_length();
  }
  /// Tokens of a row that are no padding.
  Index used(Stream stream, Index row) const;
  /// What is read there, padding included.
  std::span<const std::int32_t> tokens(Stream stream, Index row) const {
    return stream == Stream::source ? source_row(row) : target_row(row);
  }
  bool padded() const { return padded_; }

  std::span<const std::int32_t> source_row(Index row) const;
  std::span<const std::int32_t> target_row(Index row) const { return batch_.target_in_row(row); }
  /// What greedy decoding feeds first.
  std::int32_t start_token() const { return start_; }

  // ── of addition alone ──
  bool adds() const { return encoding_.has_value(); }
  std::span<const Problem> problems() const { return problems_; }
  const AdditionEncoding& encoding() const { return *encoding_; }

  // ── of encoder-decoders alone ──
  const Batch& batch() const { return batch_; }

 private:
  void take_labels(const Config& config);

  bool labels_ = false, padded_ = false;
  std::int32_t start_ = 0;
  std::optional<AdditionEncoding> encoding_;
  std::vector<Problem> problems_;
  Batch batch_;
  LabelledBatch labelled_;
  ClassifierRows rows_;
  std::vector<std::int32_t> wanted_;
  std::vector<std::uint8_t> hopeless_;
};

}  // namespace heddle
