// Where the heads of a model look: the same for a study's member and for a run.
#pragma once

#include <cstdint>
#include <string>

#include "heddle/record/addition_study.hpp"
#include "heddle/report/document/document.hpp"
#include "heddle/report/draw/heatmap.hpp"

namespace heddle::report {

/// The attention browser and every head on the first captured example, drawn to the file `figure`.
/// Nothing where no attention was captured.
void add_attention(Section& section, const Source& source, const MemberRecord& member,
                   const std::string& figure);

/// One head's attention as a map: tokens on the axes; causally masked cells are no numbers; the
/// note has the head's mean-ablation drop in points, which `source` knows, and its role.
Map head_map(const MemberRecord& member, const AttentionPicture& picture, const AttentionGrid& grid,
             std::int64_t head, const Source* source = nullptr);

// Whole SVG files, empty where there is no data. `source` knows where the member's numbers stand in
// results.json; without one the figure gives none.

/// All heads of one module, the effect of taking each out beside its map.
std::string attention_module(const MemberRecord& member, const AttentionPicture& picture,
                             const AttentionGrid& grid, const Source* source = nullptr);
/// The whole model: a row per module, a column per head.
std::string attention_model(const MemberRecord& member, const AttentionPicture& picture,
                            const Source* source = nullptr);

}  // namespace heddle::report
