// See best_cut.hpp.
#include "heddle/study/addition/best_cut.hpp"

#include "heddle/eval/score.hpp"
#include "heddle/study/addition/recipes.hpp"
#include "heddle/task/registry.hpp"

namespace heddle {

BestCut census_of_best_cut(const std::string& folder, std::span<const MemberRecord> members,
                           Team& team, const std::function<void(double share)>& progress) {
  const MemberRecord* best = nullptr;
  for (const MemberRecord& member : members)
    if (member.recipe == field_text(AdditionRecipe::tuned) &&
        (best == nullptr || member.pruning.cut.size() > best->pruning.cut.size()))
      best = &member;
  if (best == nullptr) return {};
  const Member cut =
      load_member(fmt::format("{}/members/{}-{}/pruned", folder, best->recipe, best->seed));
  BestCut record;
  record.seed = best->seed;
  record.cut = best->pruning.cut;
  record.parameters = cut.model->layout().parameter_count();
  for (const HeadGroup& group : cut.model->taps().heads()) record.heads_left += group.heads;
  const auto task = make_task(cut.config);
  if (!task->has_exam("census")) return record;
  const ExamSetup setup = exam_setup(cut, team, [&](Index done, Index total) {
    progress(static_cast<double>(done) / static_cast<double>(total));
  });
  record.census = score_exam(setup, *task, "census", *task->exam("census")).greedy;
  return record;
}

}  // namespace heddle
