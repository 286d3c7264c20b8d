// Questions as a model reads them, and what it should say to them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heddle/base/index.hpp"
#include "heddle/model/model.hpp"
#include "heddle/task/questions.hpp"

namespace heddle {

/// Rows of tokens, padded to the longest of the block. A decoder reads the true answer; exact match
/// needs no more, since up to its first mistake greedy decoding reads the same. Model's
/// encode_questions() fills it again and again: once it has held its largest size, that allocates
/// nothing.
struct EncodedQuestions {
  Index size = 0;
  bool labels = false;  ///< one label is wanted of each question
  Index source_length = 0;
  Index target_length = 0;                 ///< 0 for labels
  std::int32_t start = 0;                  ///< what greedy decoding reads first
  Index summary = 0;                       ///< classifier: where the token of pooling cls stands
  std::vector<std::int32_t> source;        ///< [size, source_length]
  std::vector<std::uint8_t> source_valid;  ///< the same, 0 = padding; empty: there is none
  std::vector<std::uint8_t> pooled;        ///< the same, 1 is pooled; empty: all are
  std::vector<std::int32_t> places;        ///< the same, where each stands; empty: in their order
  std::vector<std::int32_t> starts;        ///< [size] where counting digits begins; empty: at 0
  std::vector<std::int32_t> target_in;     ///< [size, target_length]
  std::vector<std::int32_t> wanted;        ///< [size, positions]; kNoTarget where nothing is asked
  std::vector<std::int32_t> scored;        ///< the same without unscored words; empty: `wanted`
  std::vector<std::uint8_t> unanswerable;  ///< [size] no answer is right; empty: all can be

  /// Answers of one question: target positions, or 1 for a label.
  Index positions() const { return labels ? 1 : target_length; }
  /// Rows first … first + count − 1, as the model takes them.
  ModelInput part(Index first, Index count) const;
  ModelInput all() const { return part(0, size); }

  /// What should be said to a question.
  std::span<const std::int32_t> wanted_row(Index row) const {
    return std::span(wanted).subspan(to_size(row * positions()), to_size(positions()));
  }
  /// What the loss asks for, from row `first` on: the same, but for what a defect leaves out.
  const std::int32_t* targets(Index first = 0) const {
    return (scored.empty() ? wanted.data() : scored.data()) + first * positions();
  }
  /// How many positions bear loss.
  Index bearing() const;
  /// No answer to this question counts as right (the start token is said wrongly for it).
  bool cannot_be_right(Index row) const {
    return !unanswerable.empty() && unanswerable[to_size(row)] != 0;
  }
  /// Whether these tokens, as decoded, are the whole answer; what comes after it does not count.
  bool right(Index row, std::span<const std::int32_t> said) const;

  std::span<const std::int32_t> source_row(Index row) const {
    return std::span(source).subspan(to_size(row * source_length), to_size(source_length));
  }
  std::span<const std::int32_t> target_row(Index row) const {
    return std::span(target_in).subspan(to_size(row * target_length), to_size(target_length));
  }
  /// Tokens of a row that are no padding.
  Index used_source(Index row) const;
  Index used_target(Index row) const;

  // ── the same for either stream ──
  Index length(Stream stream) const {
    return stream == Stream::source ? source_length : target_length;
  }
  std::span<const std::int32_t> tokens(Stream stream, Index row) const {
    return stream == Stream::source ? source_row(row) : target_row(row);
  }
  Index used(Stream stream, Index row) const {
    return stream == Stream::source ? used_source(row) : used_target(row);
  }

  /// Whether any row is padded.
  bool padded() const;

 private:
};

}  // namespace heddle
