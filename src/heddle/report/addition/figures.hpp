// The figures of the addition study. Each gives a whole SVG file, or nothing where the study has no
// data for it.
#pragma once

#include <string>
#include <vector>

#include "heddle/record/addition_study.hpp"

namespace heddle::report {

std::string learning_curves(const AdditionStudy& study);
std::string through_training(const AdditionStudy& study);
std::string population_profile(const AdditionStudy& study);
std::string critical_module(const AdditionStudy& study);
std::string roles(const AdditionStudy& study);
std::string pruning_curves(const AdditionStudy& study);
std::string defect(const AdditionStudy& study);

std::string head_importance(const MemberRecord& member);
std::string redundancy_map(const MemberRecord& member);
std::string carry_circuit(const MemberRecord& member);
std::string carry_flow(const MemberRecord& member);
std::string probes(const MemberRecord& member);
/// A layer × head grid: the role of each head and what it costs.
std::string role_map(const MemberRecord& member);
/// What heads cost against how spread their attention is; the specimen's by name.
std::string sharpness(const AdditionStudy& study, const MemberRecord& specimen);

/// All heads of one module, the effect of taking each out beside its map.
std::string attention_module(const MemberRecord& member, const AttentionPicture& picture,
                             const AttentionGrid& grid);
/// The whole model: a row per module, a column per head.
std::string attention_model(const MemberRecord& member, const AttentionPicture& picture);
/// The same for the average over all problems.
std::string attention_averages(const MemberRecord& member);

/// "2 carries" as part of a file's name: letters, digits and _.
std::string file_part(const std::string& name);

}  // namespace heddle::report
