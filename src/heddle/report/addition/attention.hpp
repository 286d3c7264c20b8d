// One head's attention as a map, with what is known of the head beside it.
#pragma once

#include <cstdint>

#include "heddle/record/addition_study.hpp"
#include "heddle/report/draw/heatmap.hpp"

namespace heddle::report {

/// Tokens on the axes; causally masked cells are no numbers; the note has the head's mean-ablation
/// drop in points and its role.
Map head_map(const MemberRecord& member, const AttentionPicture& picture, const AttentionGrid& grid,
             std::int64_t head);

}  // namespace heddle::report
