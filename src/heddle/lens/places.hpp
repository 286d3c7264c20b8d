// Places of a pass that an analysis can compare or swap: the residual stream and the heads,
// position by position, and what they held on a set of problems.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "heddle/lens/heads.hpp"

namespace heddle {

/// A tap, or one head's slice of it; one position, or all of them.
struct Place {
  std::string name;  ///< "encoder.0.resid_after", "encoder.0.self.head.3"
  TapId tap = -1;
  Index head = -1;      ///< −1: the tap has no heads
  Index position = -1;  ///< −1: all
};

/// The points of the residual stream: where the first stream begins, then the end of every block.
std::vector<TapId> stream_taps(const Member& member);
/// Whose tokens the rows of a tap belong to.
Stream stream_at(const Member& member, TapId tap);
/// What is said at one position sees nothing else of this tap: no attention to come looks at the
/// tokens of its stream.
bool sees_own_row_alone(const Member& member, TapId tap);
/// Where the answers come out.
TapId logits_tap(const Member& member);
/// Rows of this tap on the questions of a set; of a classifier's logits there is one.
Index positions_at(const Member& member, const EncodedQuestions& set, TapId tap);
/// Every head, at all positions.
std::vector<Place> head_places(const Member& member);
/// The taps of some places, each once, in the order of the places.
std::vector<TapId> taps_of(std::span<const Place> places);

/// The values of some taps on a set of problems.
class TapValues {
 public:
  TapValues(const Member& member, const EncodedQuestions& set, std::span<const TapId> taps,
            Team& team, const VariantProgress& progress = {});

  /// All numbers of this tap on this problem: [position, feature] or [position, head, feature].
  std::span<const float> at(TapId tap, Index problem) const;
  /// The numbers at one place with a position.
  std::span<const float> at(const Place& place, Index problem) const;

 private:
  struct Values {
    std::size_t row = 0;  // numbers of one problem
    std::size_t heads = 0, width = 0;
    std::vector<float> numbers;
  };

  std::vector<Values> by_tap_;
};

/// The member with the values at a place taken from elsewhere: problem i's from problem
/// `first` + i of `donor`, which must outlive the variant.
Variant transplant(const Place& place, const TapValues& donor);

}  // namespace heddle
