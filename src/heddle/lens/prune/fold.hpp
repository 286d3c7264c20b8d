// Heads replaced by one row for all problems and positions: what the output bias can take over.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "heddle/lens/heads.hpp"
#include "heddle/model/cut.hpp"

namespace heddle {

/// Each head's z averaged over all problems and positions, in the order of heads_of(). A bias has
/// no position, so this is all of a removed head that can be folded into it.
std::vector<std::vector<float>> folded_outputs(const Member& member,
                                               const EncodedQuestions& reference, Team& team);

/// These heads, by name, with their folded outputs. UsageError for a name that is no head.
std::vector<HeadCut> folded_cuts(const Member& member, std::span<const std::string> heads,
                                 const EncodedQuestions& reference, Team& team);

/// The member with the same rows in place of the heads: what cut_heads() makes, to rounding.
Variant mask_heads(const Member& member, std::vector<HeadCut> cuts);

}  // namespace heddle
