// Abacus positions: E[1 + k + o] for the k-th digit of its number, k = 0, 1, … restarting with
// every number, o a start that training draws for each problem (0 in answers). Bounded by the
// table. Digits of equal weight share a row only where all numbers are as long and written in the
// same order.
#include "heddle/nn/position/position.hpp"

namespace heddle {

Position Position::abacus(const Builder& at, const std::vector<DigitSlot>& slots, Index starts,
                          Index width) {
  std::vector<Index> counts;
  counts.reserve(slots.size());
  for (const DigitSlot& slot : slots) counts.push_back(slot.index);
  return counted(at, counts, starts, width);
}

}  // namespace heddle
