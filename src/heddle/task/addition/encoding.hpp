// How an addition becomes tokens, and tokens an answer.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "heddle/config/config.hpp"
#include "heddle/task/addition/problem.hpp"
#include "heddle/task/addition/tokens.hpp"
#include "heddle/task/batch.hpp"

namespace heddle {

/// n digits:  source [a…a + b…b], 2n+1 tokens, most significant first in either order.
/// bos=token: decoder in [BOS s…], out [s… EOS], n+2 tokens.
/// bos=none:  (defect) in s[:-1], out s[1:], n tokens; decoding starts from the digit 0, which
/// counts
///            as the first digit of the answer, and there is no EOS.
/// pad=zero:  (defect) labels that are the digit 0 bear no loss.
class AdditionEncoding {
 public:
  explicit AdditionEncoding(const TaskConfig& config);

  int digits() const { return digits_; }
  Index source_length() const { return 2 * digits_ + 1; }
  Index target_length() const { return bos_ == BosKind::token ? digits_ + 2 : digits_; }
  /// Digits of an answer: n + 1.
  Index sum_length() const { return digits_ + 1; }
  std::int32_t pad_token() const { return pad_ == PadKind::token ? kPad : 0; }

  /// What greedy decoding feeds first; it then takes target_length() tokens from the model.
  std::int32_t start_token() const { return bos_ == BosKind::token ? kBos : 0; }
  /// The start token is the answer's first digit (the defect).
  bool start_counts() const { return bos_ == BosKind::none; }
  /// The column (units = 0) of output position i; −1 for EOS.
  int column_of(Index position) const;
  /// The column of the digit that the encoder reads at a position; −1 for the plus sign.
  int source_column(Index position) const;
  /// The column of the digit that the decoder reads at a position; −1 for BOS.
  int target_column(Index position) const;

  /// Makes the batch as many rows as there are problems.
  void encode(std::span<const Problem> problems, Batch& batch) const;
  void encode_row(const Problem& problem, Batch& batch, Index row) const;

  /// The tokens that greedy decoding should take from the model: s… EOS, or s[1:].
  void expected(const Problem& problem, std::span<std::int32_t> out) const;
  /// Whether those tokens, with the start token where it counts, are the whole answer.
  bool correct(const Problem& problem, std::span<const std::int32_t> generated) const;
  /// The generated answer as a reader writes a number: most significant digit first, up to EOS.
  std::string answer_text(std::span<const std::int32_t> generated) const;

 private:
  void digits_in_order(const Problem& problem, std::span<std::int32_t> out) const;

  int digits_;
  DigitOrder order_;
  BosKind bos_;
  PadKind pad_;
};

}  // namespace heddle
