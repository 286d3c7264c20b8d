// The files that make a folder a study's: study.json says what must be the same for the study to be
// the same, plan.json lists its members for whoever shares them out.
#pragma once

#include <string>
#include <vector>

#include "heddle/config/config.hpp"
#include "heddle/study/scale.hpp"
#include "heddle/study/study.hpp"

namespace heddle {

/// A study of recipes, without its name: STUDY/study.json.
struct StudyIdentity {
  StudyKind kind = StudyKind::addition;
  StudyPreset preset = StudyPreset::quick;
  std::vector<ScaleNumber> scale;
  Config tuned;
};

/// Writes STUDY/study.json, or finds this study there; UsageError for another one: of another
/// version, instruction set, or with other settings.
void claim_study_folder(const std::string& folder, const StudyIdentity& identity);
/// UsageError for a study of another version or instruction set, FileError for a damaged file.
StudyIdentity read_identity(const std::string& folder);

/// UsageError unless `version` and `isa` (of a file in `folder`) are this program's: the same bits
/// need the same program on the same instruction set.
void check_origin(const std::string& folder, const std::string& version, const std::string& isa);

/// Makes the folder this study's and writes its plan.json.
void write_plan(const Study& study, const std::string& folder, const StudyObserver& observer = {});

/// What plan.json says apart from the members, which follow from study.json or sweep.json.
struct PlanHead {
  StudyKind kind = StudyKind::addition;
  std::string command;
};
/// UsageError for a folder that is no study, FileError for a damaged plan.
PlanHead read_plan_head(const std::string& folder);

/// The member of that name; UsageError with the names that are near, or some there are.
std::size_t find_member(const Study& study, const std::string& name);

}  // namespace heddle
