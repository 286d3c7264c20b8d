// Why an encoding does or does not extrapolate: formulas, each beside the measurement of that very
// quantity on trained members.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "heddle/model/member.hpp"
#include "heddle/record/sortedness_study.hpp"

namespace heddle {

/// A member of a study. Everything must outlive the explanations' making.
struct ExplainMember {
  std::string recipe;
  std::uint64_t seed = 0;
  const Member& member;
  const Weights* start = nullptr;  ///< as drawn from the seed, of the same layout; null: not known
  std::span<const SortCell> cells = {};
};

struct ExplainScale {
  std::vector<Index> lengths{16, 32, 64, 128, 256};  ///< of curves against length
  Index pairs = 16;                                  ///< twins per member and length
  Index map_length_short = 16, map_length_long = 256;
};

/// identity · identity-heads · clamping · dispersion · dilution · embedding · embedding-smoothness
/// · encodings · attention · ties, in this order; one that no member fits is left out. Of each
/// recipe the first few seeds are asked; a curve over seeds is their mean, low and high their
/// range. UsageError for lengths or pairs below 1.
std::vector<SortExplanation> explain_sortedness(std::span<const ExplainMember> members,
                                                const ExplainScale& scale);

}  // namespace heddle
