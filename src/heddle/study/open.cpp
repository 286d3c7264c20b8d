// See open.hpp.
#include "heddle/study/open.hpp"

#include "heddle/study/addition/addition.hpp"
#include "heddle/study/plan_file.hpp"
#include "heddle/study/sortedness/sortedness.hpp"
#include "heddle/study/sweep/folder.hpp"
#include "heddle/study/sweep/sweep.hpp"

namespace heddle {

Study open_study(const std::string& folder) {
  const PlanHead head = read_plan_head(folder);
  switch (head.kind) {
    case StudyKind::addition:
      return addition_study(plan_of<AdditionScale>(read_identity(folder), head.command));
    case StudyKind::sortedness:
      return sortedness_study(plan_of<SortednessScale>(read_identity(folder), head.command));
    case StudyKind::sweep:
      break;
  }
  check_sweep_origin(folder);
  return known_sweep_study(read_sweep_grid(folder + "/" + kSweepFile));
}

}  // namespace heddle
