// What the heads of a model attend to: the same for a study's member and for a run.
#pragma once

#include <string>

#include "heddle/record/addition_study.hpp"
#include "heddle/report/document/document.hpp"

namespace heddle::report {

/// Where the roles come from, the grid of roles and costs, and the role of every head. Nothing
/// where there are no roles.
void add_roles(Section& section, const Source& source, const MemberRecord& member);

/// A layer × head grid: the role of each head and what it costs; a whole SVG file, or nothing.
std::string role_map(const Source& source, const MemberRecord& member);

}  // namespace heddle::report
