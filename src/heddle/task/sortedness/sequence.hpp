// One sequence of small numbers: whether it is sorted, how its neighbours differ, and how it is
// read.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/tensor/view.hpp"

namespace heddle {

/// Values lie in 0 … kValueCount − 1 and are their own token ids.
inline constexpr std::int32_t kValueCount = 100;

using Sequence = std::vector<std::int32_t>;
using Values = std::span<const std::int32_t>;

/// Whether no value is followed by a smaller one; a single value is sorted.
bool is_sorted(Values values);

/// How the neighbours of a sequence differ; the counts add up to its length less one.
struct Steps {
  Index descents = 0;  ///< the right one is smaller
  Index ties = 0;      ///< equal
  Index gap1 = 0;      ///< the right one is larger by exactly 1
  Index wider = 0;     ///< the right one is larger by more
};
Steps steps_of(Values values);

/// What a set of sequences is made of. Ties and gaps are those of its sorted sequences, descents
/// those of the others.
struct SequenceMakeup {
  Index positives = 0, negatives = 0;  ///< sorted sequences and others
  Index shortest = 0, longest = 0;     ///< values per sequence; 0 for an empty set
  Index ties = 0, gap1 = 0, wider = 0;
  Index descents = 0;

  void add(Values values);
  Index count() const { return positives + negatives; }
  /// Of all neighbours in sorted sequences, the share that is equal.
  double tie_share() const;
  /// Of all unequal neighbours in sorted sequences, the share that differs by 1.
  double gap1_share() const;
  /// Descents of an unsorted sequence, on average.
  double mean_descents() const;
};

/// "3 5 5 9", parted by spaces or commas. UsageError for what is empty, no number, out of range,
/// or longer than `longest`.
Sequence parse_sequence(std::string_view text, Index longest);
/// "3 5 5 9".
std::string sequence_text(Values values);

}  // namespace heddle
