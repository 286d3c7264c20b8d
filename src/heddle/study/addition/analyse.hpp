// One trained member, looked at in every way that the addition study knows.
#pragma once

#include <functional>
#include <string>

#include "heddle/base/parallel.hpp"
#include "heddle/record/addition_study.hpp"
#include "heddle/study/addition/recipes.hpp"

namespace heddle {

/// What is looked at, how closely, and who hears of it.
struct AnalysisRequest {
  AdditionRecipe recipe = AdditionRecipe::tuned;
  std::string run;  ///< the folder of a finished training, snapshots included
  const AdditionScale& scale;
  bool from_scratch = false;  ///< also train a member without the heads that went for free
  Team& team;
  std::function<void(double share)> progress;  ///< called often; may throw to stop
};

/// The same bits for any team, and for any number of calls. The cut model is left in RUN/pruned.
MemberRecord analyse_member(const AnalysisRequest& request);

}  // namespace heddle
