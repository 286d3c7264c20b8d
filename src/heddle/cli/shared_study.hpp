// What study, train (of a sweep), member and conclude have in common: a study whose members any
// process may make.
#pragma once

#include <string>

#include "heddle/cli/text/arguments.hpp"
#include "heddle/cli/text/console.hpp"
#include "heddle/study/study.hpp"

namespace heddle::cli {

/// --plan, which study and train share.
extern const Flag kPlanFlag;

/// Makes the folder this study's and lists its members: one name a line, or one JSON object.
void plan_only(const Study& study, const std::string& folder, const Arguments& arguments,
               Console& console);

/// Makes what is left of the members and concludes; false if it was stopped.
bool make_and_conclude(const Study& study, const std::string& folder, const Arguments& arguments,
                       Console& console);

/// The folder of a study that was named; UsageError if it is empty.
const std::string& study_folder(const Arguments& arguments);

/// Draws the report from results.json and says where it is.
void draw_study(StudyKind kind, const std::string& folder, const Arguments& arguments,
                Console& console);

}  // namespace heddle::cli
