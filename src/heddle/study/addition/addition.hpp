// The addition study: trains the members of all recipes side by side, looks at each, and puts
// together what the populations show. Stopped at any point, it goes on where it was.
#pragma once

#include <functional>
#include <string>

#include "heddle/config/config.hpp"
#include "heddle/record/addition_study.hpp"
#include "heddle/study/addition/scale.hpp"

namespace heddle {

struct StudyPlan {
  std::string preset = "quick";
  StudyScale scale;
  Config tuned;         ///< the recipe under study; its seed is the first one
  std::string command;  ///< as the results quote it
  int threads = 1;
};

/// Who is told what happens; called from several threads, one at a time.
struct StudyObserver {
  std::function<void(double share, const std::string& what)> progress;
  std::function<void(const std::string& line)> note;
  std::function<bool()> stop;  ///< true: save and leave
};

enum class StudyOutcome : std::uint8_t { finished, stopped };

/// Runs the study in `folder` and leaves results.json and timings.json there. A folder of another
/// study is refused.
StudyOutcome run_addition_study(const StudyPlan& plan, const std::string& folder,
                                const StudyObserver& observer);

}  // namespace heddle
