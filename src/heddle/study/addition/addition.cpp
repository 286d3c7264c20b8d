// See addition.hpp.
#include "heddle/study/addition/addition.hpp"

#include <algorithm>
#include <memory>

#include "heddle/base/decimal.hpp"
#include "heddle/base/version.hpp"
#include "heddle/config/load.hpp"
#include "heddle/kernels/isa.hpp"
#include "heddle/record/json.hpp"
#include "heddle/study/addition/analyse.hpp"
#include "heddle/study/addition/best_cut.hpp"
#include "heddle/study/addition/population.hpp"
#include "heddle/study/addition/recipes.hpp"
#include "heddle/study/addition/reproductions.hpp"
#include "heddle/study/addition/written_claims.hpp"
#include "heddle/study/member_record.hpp"

namespace heddle {
namespace {

constexpr const char* kAnalysis = "analysis.json";
constexpr std::uint64_t kPictured = 2;   // members of each recipe whose attention is kept
constexpr double kAnalysisWork = 60000;  // samples of training that take as long, roughly

/// Where a member comes from.
struct AdditionMember {
  const AdditionPopulation* population = nullptr;
  StudyMember member;
  bool from_scratch = false;  ///< its shape is also trained from nothing
};

class AdditionParts {
 public:
  explicit AdditionParts(const AdditionPlan& plan)
      : plan_(plan), populations_(addition_populations(plan.tuned, plan.scale)) {
    for (const AdditionPopulation& population : populations_)
      for (std::int64_t i = 0; i < population.seeds; ++i)
        members_.push_back(make_member(population, i));
  }

  std::vector<StudyMember> members() const {
    std::vector<StudyMember> list;
    for (const AdditionMember& one : members_) list.push_back(one.member);
    return list;
  }

  StudyIdentity identity() const { return identity_of(plan_, StudyKind::addition); }

  ExamResult examine(std::size_t index, const ExamRequest& request) const {
    const AdditionMember& one = members_[index];
    const MemberRecord record = analyse_member({.recipe = one.population->recipe,
                                                .run = request.run,
                                                .scale = scale_of(*one.population),
                                                .from_scratch = one.from_scratch,
                                                .team = request.team,
                                                .progress = request.progress});
    return {.record = to_tree(record),
            .note = fmt::format("{} of {} test problems right",
                                format_count(record.test.greedy.correct),
                                format_count(record.test.greedy.total))};
  }

  std::string conclude(const ConcludeRequest& request) const {
    AdditionStudy study;
    study.version = kVersion;
    study.isa = kernels::isa();
    study.preset = field_text(plan_.preset);
    study.command = plan_.command;
    study.scale = named_values(plan_.scale);
    study.config = config_json(plan_.tuned);
    for (const AdditionMember& one : members_) study.members.push_back(read(request.folder, one));
    for (const AdditionPopulation& population : populations_) {
      std::vector<MemberRecord> members;
      std::ranges::copy_if(study.members, std::back_inserter(members), [&](const MemberRecord& m) {
        return m.recipe == field_text(population.recipe);
      });
      if (!members.empty()) study.populations.push_back(summarise_adders(population, members));
    }
    study.claims = judge<MemberRecord>(written_addition_claims(), study.members);
    study.reproductions = reproduce_addition_reports(study.members);
    if (plan_.scale.census != 0) {
      Team team(request.threads);
      study.best_cut = census_of_best_cut(request.folder, study.members, team, [&](double share) {
        request.progress(fmt::format("census of the best cut, {}", format_percent(share, 0)));
      });
    }
    return json_line(to_tree(study));
  }

 private:
  const AdditionScale& scale_of(const AdditionPopulation& population) const {
    return population.recipe == AdditionRecipe::tuned ? plan_.scale : comparison_;
  }

  AdditionMember make_member(const AdditionPopulation& population, std::int64_t number) const {
    AdditionMember made{.population = &population, .member = {}};
    StudyMember& member = made.member;
    member.config = population.config;
    member.config.seed += static_cast<std::uint64_t>(number);
    member.name = fmt::format("{}-{}", field_text(population.recipe), member.config.seed);
    member.label = fmt::format("{} {}", field_text(population.recipe), member.config.seed);
    made.from_scratch =
        population.recipe == AdditionRecipe::tuned && number < plan_.scale.scratch_seeds;
    const auto batch = static_cast<double>(member.config.train.batch);
    const double training = static_cast<double>(member.config.train.steps) * batch;
    member.work = training + kAnalysisWork +
                  (made.from_scratch ? static_cast<double>(plan_.scale.scratch_steps) * batch : 0);
    member.training_part = training / member.work;
    member.snapshots = log_spaced(member.config.train.steps, scale_of(population).snapshots);
    return made;
  }

  static MemberRecord read(const std::string& folder, const AdditionMember& one) {
    auto record = read_member_record<MemberRecord>(
        fmt::format("{}/{}/{}", folder, one.member.folder(), kAnalysis));
    if (one.member.config.seed >= one.population->config.seed + kPictured) record.pictures = {};
    return record;
  }

  AdditionPlan plan_;
  AdditionScale comparison_ = for_comparison(plan_.scale);
  std::vector<AdditionPopulation> populations_;
  std::vector<AdditionMember> members_;
};

}  // namespace

Study addition_study(const AdditionPlan& plan) {
  validate(plan.tuned);
  const auto parts = std::make_shared<const AdditionParts>(plan);
  return {
      .kind = StudyKind::addition,
      .command = plan.command,
      .members = parts->members(),
      .record_file = kAnalysis,
      .claim_folder =
          [parts](const std::string& folder) { claim_study_folder(folder, parts->identity()); },
      .examine = [parts](std::size_t member,
                         const ExamRequest& request) { return parts->examine(member, request); },
      .conclude = [parts](const ConcludeRequest& request) { return parts->conclude(request); }};
}

}  // namespace heddle
