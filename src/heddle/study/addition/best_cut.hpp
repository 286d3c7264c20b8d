// The member that lost most heads free of charge, asked every problem there is.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "heddle/base/parallel.hpp"
#include "heddle/record/addition_study.hpp"

namespace heddle {

/// Among the members of the tuned recipe the one with most free heads (of equals the first seed);
/// its cut model is read from FOLDER/members/tuned-<seed>/pruned. An empty record if there is none.
BestCut census_of_best_cut(const std::string& folder, std::span<const MemberRecord> members,
                           Team& team, const std::function<void(double share)>& progress);

}  // namespace heddle
