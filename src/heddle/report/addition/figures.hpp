// The figures of the addition study. Each gives a whole SVG file, or nothing where the study has no
// data for it.
#pragma once

#include <string>
#include <vector>

#include "heddle/report/addition/document.hpp"

namespace heddle::report {

std::string learning_curves(const AdditionStudy& study);
std::string through_training(const AdditionStudy& study);
std::string population_profile(const AdditionStudy& study);
std::string critical_module(const AdditionSource& source);
std::string roles(const AdditionSource& source);
std::string pruning_curves(const AdditionStudy& study);
std::string defect(const AdditionSource& source);

std::string carry_circuit(const MemberRecord& member);
std::string carry_flow(const Source& source, const MemberRecord& member);
std::string probes(const MemberRecord& member);
/// What heads cost against how spread their attention is; the shown member's by name.
std::string sharpness(const AdditionStudy& study, const MemberRecord& shown);

/// Attention of every head, averaged over all problems.
std::string attention_averages(const Source& source, const MemberRecord& member);

/// "2 carries" as part of a file's name: letters, digits and _.
std::string file_part(const std::string& name);

}  // namespace heddle::report
