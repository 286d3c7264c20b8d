// Where tokens get their place: rows of a table added to their embeddings.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "heddle/nn/builder.hpp"
#include "heddle/nn/run.hpp"
#include "heddle/nn/tokens.hpp"
#include "heddle/ops/embedding.hpp"

namespace heddle {

/// What a learned table does past its last trained row.
enum class PastEnd : std::uint8_t { clamp, untrained, reject };

/// A table, and which of its rows each token gets.
struct PositionRows {
  Var table;
  Ids ids;
};

/// What stands at a place of a sequence of numbers.
struct DigitSlot {
  Index index = -1;   ///< of a digit within its number as it is written; −1: no digit
  Index column = -1;  ///< its weight: units 0, tens 1, …

  bool digit() const { return index >= 0; }
};

class Sinusoids;

/// One encoding that acts on inputs. `none` adds nothing.
class Position {
 public:
  static Position none() { return {}; }
  /// Place i: sin(i·10000^(−2k/d)) at 2k, cos of the same at 2k + 1, for any i ≥ 0. `length` rows
  /// are kept from the start, more when they are first asked for.
  static Position sinusoidal(Index length, Index width);
  /// The same of 16·i/(n − 1), i counting the tokens of a sequence that are no padding and n being
  /// how many there are: from 0 to 16 whatever the length. Places that are given are not read.
  static Position normalised(Index width);
  /// `length` trained rows; past them as `past_end` says (`untrained`: rows that keep their start).
  /// They start at `deviation`; the token rows that they are added to have 1.
  static Position learned(const Builder& at, Index length, Index width, PastEnd past_end,
                          double deviation = 1);

  /// E[1 + index + start]: counting begins anew with every number; what is no digit has row 0.
  static Position abacus(const Builder& at, const std::vector<DigitSlot>& slots, Index starts,
                         Index width);
  /// E[1 + column + start]: digits of equal weight share a row; what is no digit has row 0.
  static Position coupled(const Builder& at, const std::vector<DigitSlot>& slots, Index starts,
                          Index width);

  bool acts() const { return weight_.has_value() || sinusoids_ != nullptr; }
  /// What is added to these tokens.
  PositionRows rows(Run& run, const Tokens& tokens, DType dtype) const;

 private:
  /// A table with a row for what is no digit, then one for each count.
  static Position counted(const Builder& at, const std::vector<Index>& counts, Index starts,
                          Index width);
  Ids learned_rows(const Tokens& tokens) const;
  Ids counted_rows(const Tokens& tokens) const;

  std::optional<WeightId> weight_;
  std::vector<Index> counts_;  // by place: of digits; −1: no digit
  std::shared_ptr<const Sinusoids> sinusoids_;
  bool normalised_ = false;
  Index trained_ = 0;
  PastEnd past_end_ = PastEnd::reject;
};

}  // namespace heddle
