// Heads cut out of a member for good: a smaller model, saved and loaded like any other.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "heddle/model/member.hpp"

namespace heddle {

/// A head to cut and what stands in for its output from then on.
struct HeadCut {
  std::string head;           ///< in the member's own numbering: "encoder.0.self.head.1"
  std::vector<float> output;  ///< d_head numbers z̄; empty for zeros
};

/// In the metadata of a checkpoint whose heads were cut: the hash of the settings it came from. No
/// training made such a model, and none may replace it.
inline constexpr const char* kCutFrom = "heddle.cut_from";

/// The member without these heads: their columns of w_q, b_q, w_k, w_v, b_v, their rows of w_o and
/// what a relative position keeps for each head are gone, and what they put out is folded into the
/// bias, b_o += Σ z̄ · (their rows of w_o). A bias is the same everywhere, so z̄ can only be one row
/// for all positions: usually the head's mean over problems and positions. All other weights keep
/// their bits; heads that are left move up, and config.model.cut_heads names those that are gone as
/// the whole model called them. UsageError for a head that the member does not have or that is
/// named twice.
Member cut_heads(const Member& member, std::span<const HeadCut> cuts);

}  // namespace heddle
