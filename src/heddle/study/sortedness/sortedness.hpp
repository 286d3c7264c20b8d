// The sortedness study: trains the members of all recipes side by side, asks each at every length
// and kind, and puts together what the populations show. Stopped at any point, it goes on where it
// was.
#pragma once

#include <string>

#include "heddle/config/config.hpp"
#include "heddle/study/addition/addition.hpp"
#include "heddle/study/sortedness/scale.hpp"

namespace heddle {

struct SortPlan {
  std::string preset = "quick";
  SortScale scale;
  Config tuned;         ///< the recipe under study; its seed is the first one
  std::string command;  ///< as the results quote it
  int threads = 1;
};

/// Runs the study in `folder` and leaves results.json and timings.json there. A folder of another
/// study is refused.
StudyOutcome run_sortedness_study(const SortPlan& plan, const std::string& folder,
                                  const StudyObserver& observer);

}  // namespace heddle
