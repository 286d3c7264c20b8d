// What each head of a model is worth: the same for a study's member and for a run.
#pragma once

#include <string>

#include "heddle/record/addition_study.hpp"
#include "heddle/report/document/document.hpp"
#include "heddle/report/draw/palette.hpp"

namespace heddle::report {

/// The mode by which heads are ranked: mean where it was measured, else zero, else resample.
AblationMode main_mode(const Ablation& ablation);

/// How heads were taken out, how many matter, all of them as bars and as a table, whole modules,
/// pairs. Nothing where no head was taken out. `figure` is the file of the bars.
void add_ablation(Section& section, const Source& source, const MemberRecord& member,
                  const std::string& figure);

/// The colour of a band in every figure.
Ink band_ink(Band band);

// Its figures; each a whole SVG file, or nothing where there is no data.
std::string head_importance(const Source& source, const MemberRecord& member);
std::string redundancy_map(const MemberRecord& member);

}  // namespace heddle::report
