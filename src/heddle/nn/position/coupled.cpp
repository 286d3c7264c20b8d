// Coupled positions: E[1 + c + o] for a digit of column c (units 0), in whichever number it stands,
// o a start that training draws for each problem (0 in answers): adding a column needs no search
// for its digits. Bounded by the table.
#include "heddle/nn/position/position.hpp"

namespace heddle {

Position Position::coupled(const Builder& at, const std::vector<DigitSlot>& slots, Index starts,
                           Index width) {
  std::vector<Index> counts;
  counts.reserve(slots.size());
  for (const DigitSlot& slot : slots) counts.push_back(slot.digit() ? slot.column : -1);
  return counted(at, counts, starts, width);
}

}  // namespace heddle
