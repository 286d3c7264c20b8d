// See sortedness.hpp.
#include "heddle/study/sortedness/sortedness.hpp"

#include <deque>
#include <memory>

#include "heddle/base/version.hpp"
#include "heddle/config/load.hpp"
#include "heddle/config/sequences.hpp"
#include "heddle/kernels/isa.hpp"
#include "heddle/lens/explain/explain.hpp"
#include "heddle/model/classifier/hand_built.hpp"
#include "heddle/record/json.hpp"
#include "heddle/study/member_record.hpp"
#include "heddle/study/sortedness/exam.hpp"
#include "heddle/study/sortedness/population.hpp"
#include "heddle/study/sortedness/recipes.hpp"
#include "heddle/study/sortedness/written_claims.hpp"
#include "heddle/study/timings.hpp"

namespace heddle {
namespace {

constexpr const char* kScores = "scores.json";

/// Operations of training, roughly.
double training_work(const Config& config) {
  const auto d = static_cast<double>(config.model.d_model);
  return static_cast<double>(config.train.steps * config.train.batch * config.model.layers) * d * d;
}

StudyMember make_sorter(const SortednessRecipe& recipe, std::int64_t number) {
  constexpr double kTraining = 0.7;  // share of a member's time, about
  StudyMember member;
  member.config = recipe.config;
  member.config.seed += static_cast<std::uint64_t>(number);
  member.name = fmt::format("{}-{}", recipe.name, member.config.seed);
  member.label = fmt::format("{} {}", recipe.name, member.config.seed);
  member.work = training_work(member.config);
  member.training_part = kTraining;
  if (recipe.group == SortednessGroup::hand_built)
    member.write_weights = [](const std::string& run) { save_hand_built(run); };
  return member;
}

class SortednessParts {
 public:
  explicit SortednessParts(const SortednessPlan& plan)
      : plan_(plan), recipes_(sortedness_recipes(plan.tuned, plan.scale)) {
    for (const SortednessRecipe& recipe : recipes_)
      for (std::int64_t i = 0; i < recipe.seeds; ++i) {
        members_.push_back(make_sorter(recipe, i));
        recipe_of_.push_back(&recipe);
      }
  }

  const std::vector<StudyMember>& members() const { return members_; }
  StudyIdentity identity() const { return identity_of(plan_, StudyKind::sortedness); }

  ExamResult examine(std::size_t index, const ExamRequest& request) const {
    const Member member = load_member(request.run);
    const SortMember record = examine_sorter(*recipe_of_[index], member,
                                             training_log_of(request.run), plan_.scale, request);
    return {.record = to_tree(record), .note = {}};
  }

  std::string conclude(const ConcludeRequest& request) const {
    SortednessStudy study;
    study.version = kVersion;
    study.isa = kernels::isa();
    study.preset = field_text(plan_.preset);
    study.command = plan_.command;
    study.scale = named_values(plan_.scale);
    study.config = config_json(plan_.tuned);
    study.learned_bar = kLearnedBar;
    const LengthRange lengths = parse_lengths(plan_.tuned.task.lengths);
    study.train_shortest = lengths.least;
    study.train_longest = lengths.most;
    for (const StudyMember& member : members_)
      study.members.push_back(read_member_record<SortMember>(
          fmt::format("{}/{}/{}", request.folder, member.folder(), kScores)));
    for (const SortednessRecipe& recipe : recipes_)
      study.populations.push_back(summarise_sorters(recipe, study.members));
    study.explanations = explain(request, study.members);
    study.claims = judge<SortMember>(written_sortedness_claims(), study.members);
    study.reproductions = reproduce_sortedness_reports(study.members);
    return json_line(to_tree(study));
  }

 private:
  /// The first seeds of every recipe, as trained and as drawn, asked why they do what they do.
  std::vector<SortExplanation> explain(const ConcludeRequest& request,
                                       const std::vector<SortMember>& records) const {
    constexpr std::uint64_t kSeeds = 3;
    std::deque<Member> loaded, drawn;  // a deque never moves what it holds
    std::vector<ExplainMember> members;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const StudyMember& member = members_[i];
      if (member.config.seed >= recipe_of_[i]->config.seed + kSeeds) continue;
      request.progress("explaining " + member.label);
      loaded.push_back(load_member(fmt::format("{}/{}", request.folder, member.folder())));
      drawn.push_back(make_member(member.config));
      members.push_back({.recipe = recipe_of_[i]->name,
                         .seed = member.config.seed,
                         .member = loaded.back(),
                         .start = &drawn.back().weights,
                         .cells = records[i].cells});
    }
    ExplainScale scale;
    scale.pairs = plan_.scale.explain_pairs;
    return explain_sortedness(members, scale);
  }

  SortednessPlan plan_;
  std::vector<SortednessRecipe> recipes_;
  std::vector<StudyMember> members_;
  std::vector<const SortednessRecipe*> recipe_of_;  // each member
};

}  // namespace

Study sortedness_study(const SortednessPlan& plan) {
  validate(plan.tuned);
  const auto parts = std::make_shared<const SortednessParts>(plan);
  return {
      .kind = StudyKind::sortedness,
      .command = plan.command,
      .members = parts->members(),
      .record_file = kScores,
      .claim_folder =
          [parts](const std::string& folder) { claim_study_folder(folder, parts->identity()); },
      .examine = [parts](std::size_t member,
                         const ExamRequest& request) { return parts->examine(member, request); },
      .conclude = [parts](const ConcludeRequest& request) { return parts->conclude(request); }};
}

}  // namespace heddle
