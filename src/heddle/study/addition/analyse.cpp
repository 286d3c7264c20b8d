// See analyse.hpp.
#include "heddle/study/addition/analyse.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "heddle/base/file.hpp"
#include "heddle/base/hash.hpp"
#include "heddle/base/index.hpp"
#include "heddle/eval/score.hpp"
#include "heddle/lens/ablate/ablate.hpp"
#include "heddle/lens/addition/average_pictures.hpp"
#include "heddle/lens/addition/carry_patching.hpp"
#include "heddle/lens/addition/carry_probes.hpp"
#include "heddle/lens/addition/column_roles.hpp"
#include "heddle/lens/pictures.hpp"
#include "heddle/lens/prune/prune.hpp"
#include "heddle/model/checkpoint.hpp"
#include "heddle/model/save_member.hpp"
#include "heddle/record/training_log.hpp"
#include "heddle/study/addition/facts.hpp"
#include "heddle/study/addition/smaller.hpp"
#include "heddle/task/addition/unseen.hpp"
#include "heddle/task/addition/words.hpp"
#include "heddle/train/loop.hpp"

namespace heddle {
namespace {

/// Sets of problems that no training saw, none in two of them.
struct ProblemSets {
  std::vector<Problem> test, ablation, choose, score, proof, look, snapshot, reference;
};

/// `steps` is how long the member trained.
ProblemSets draw_sets(const Addition& task, Index steps, const AdditionScale& scale) {
  UnseenProblems unseen(task, steps);
  ProblemSets sets;
  sets.reference.assign(task.validation_problems().begin(), task.validation_problems().end());
  if (static_cast<std::int64_t>(sets.reference.size()) > scale.reference)
    sets.reference.resize(to_size(scale.reference));
  sets.test = unseen.draw(scale.test, "test");
  sets.ablation = unseen.draw(scale.ablation, "ablation");
  sets.choose = unseen.draw(scale.choose, "choose");
  sets.score = unseen.draw(scale.score, "score");
  sets.proof = unseen.draw(scale.free_heads, "proof");
  sets.look = unseen.draw(scale.specialise, "look");
  sets.snapshot = unseen.draw(scale.snapshot_problems, "snapshot");
  return sets;
}

std::vector<CurveRow> curve_of(const TrainingLog& log) {
  std::vector<CurveRow> curve;
  for (const LogRow& row : log.rows)
    curve.push_back({.step = row.step,
                     .samples = row.samples,
                     .learning_rate = row.learning_rate,
                     .train_loss = row.train_loss,
                     .validation_loss = row.validation_loss,
                     .tokens = row.tokens,
                     .teacher_forced = row.teacher_forced,
                     .greedy = row.greedy,
                     .by_carries = row.by_carries});
  return curve;
}

/// The main measures as the training left them at one step.
class SnapshotLens {
 public:
  SnapshotLens(Member& member, const Task& task, const ProblemSets& sets, Team& team)
      : member_(member), task_(task), sets_(sets), team_(team) {}

  Snapshot look(std::int64_t step) const {
    const Score score = score_questions(exam_setup(member_, team_), task_, "snapshot",
                                        questions_of(sets_.snapshot));
    Snapshot snapshot{.step = step,
                      .greedy = score.greedy,
                      .tokens = score.teacher_forced_tokens,
                      .by_carries = score.counts("by_carries"),
                      .modules = {},
                      .roles = {},
                      .measures = {}};
    const AblationOptions options{.modes = {AblationMode::mean}};
    const Ablation ablation = ablate(
        member_, {.scored = questions_of(sets_.snapshot), .reference = questions_of(sets_.look)},
        options, team_);
    for (const Effect& effect : ablation.heads)
      raise(snapshot.modules, module_of(effect.what), effect.drop);
    const Specialisation special = specialise_columns(member_, sets_.snapshot, team_);
    for (const HeadMeasure& measure : special.measures)
      raise(snapshot.measures, measure.measure, measure.value);
    for (const HeadRole& role : special.roles) count(snapshot.roles, role.role);
    return snapshot;
  }

 private:
  static NamedValue& named(std::vector<NamedValue>& list, const std::string& name, double first) {
    const auto found = std::ranges::find(list, name, &NamedValue::name);
    if (found != list.end()) return *found;
    return list.emplace_back(NamedValue{name, first});
  }
  static void raise(std::vector<NamedValue>& list, const std::string& name, double value) {
    NamedValue& here = named(list, name, value);
    here.value = std::max(here.value, value);
  }
  static void count(std::vector<NamedValue>& list, const std::string& name) {
    named(list, name, 0).value += 1;
  }

  Member& member_;
  const Task& task_;
  const ProblemSets& sets_;
  Team& team_;
};

class Analysis {
 public:
  explicit Analysis(const AnalysisRequest& request)
      : request_(request),
        member_(load_member(request.run)),
        task_(member_.config),
        log_(read_training_log(request.run + "/training_log.json")),
        sets_(draw_sets(task_, member_.config.train.steps, request.scale)) {}

  MemberRecord run() {
    describe();
    score();
    look();
    take_apart();
    prune();
    trace_carries();
    through_training();
    return std::move(record_);
  }

 private:
  /// Tells the progress that `parts` of kParts are done.
  VariantProgress between(double from, double to) const {
    return [this, from, to](Index done, Index total) {
      report_share(from + (to - from) * static_cast<double>(done) / static_cast<double>(total));
    };
  }
  void report_share(double share) const {
    if (request_.progress) request_.progress(share);
  }

  void describe() {
    record_.recipe = field_text(request_.recipe);
    record_.seed = member_.config.seed;
    record_.config_hash = log_.config_hash;
    record_.data_hash = log_.data_hash;
    Hash hash;
    for (const float weight : member_.weights.flat().flat<float>())
      hash.add(std::uint64_t{std::bit_cast<std::uint32_t>(weight)});
    record_.weights_hash = hash.hex();
    record_.isa = log_.isa;
    record_.defect = log_.defect;
    record_.parameters = member_.model->layout().parameter_count();
    record_.steps = member_.config.train.steps;
    record_.samples = member_.config.train.steps * member_.config.train.batch;
    record_.best_step = log_.best_step;
    record_.curve = curve_of(log_);
    for (const Warning& warning : log_.warnings) record_.warnings.push_back(text_of(warning));
  }

  void score() {
    const ExamSetup setup = exam_setup(member_, request_.team, between(0, 0.05));
    record_.test = AdditionScore(score_questions(setup, task_, "unseen", questions_of(sets_.test)));
  }

  void look() {
    record_.specialisation = specialise_columns(member_, sets_.look, request_.team);
    record_.pictures = average_pictures(member_, sets_.look, request_.team);
    for (const Problem& problem : example_problems(task_.digits()))
      record_.pictures.push_back(
          picture_of(answer_question(member_, task_, problem_text(problem), "", request_.team)));
    report_share(0.1);
  }

  void take_apart() {
    const auto facets = task_.facets();
    const Questions reference = questions_of(sets_.reference);
    const AblationSets problems{
        .scored = questions_of(sets_.ablation), .reference = reference, .facets = facets.get()};
    AblationOptions options;
    options.donors = request_.scale.donors;
    options.modules = options.leave_one_in = options.together = true;
    record_.ablation = ablate(member_, problems, options, request_.team, between(0.1, 0.3));
    const auto few = std::min(to_size(request_.scale.pairs), sets_.ablation.size());
    const AblationOptions pairs{.modes = {AblationMode::mean}, .pairs = true};
    record_.ablation.pairs = ablate(member_,
                                    {.scored = questions_of(std::span(sets_.ablation).first(few)),
                                     .reference = reference},
                                    pairs, request_.team, between(0.3, 0.4))
                                 .pairs;
  }

  void prune() {
    std::optional<Member> smaller;
    PruneSets sets{.choose = questions_of(sets_.choose),
                   .score = questions_of(sets_.score),
                   .reference = questions_of(sets_.reference)};
    if (!sets_.proof.empty()) sets.proof = questions_of(sets_.proof);
    const PruneRequest wanted{.sets = std::move(sets),
                              .options = {.random_repeats = request_.scale.random_orders},
                              .see_cut = [&](const Member& cut) { smaller = cut_heads(cut, {}); }};
    record_.pruning =
        prune_curves(member_, wanted, record_.ablation, request_.team, between(0.4, 0.65));
    save_member(request_.run + "/pruned", *smaller, {});
    if (request_.recipe == AdditionRecipe::tuned) train_smaller(*smaller);
  }

  /// What training can make of the smaller model, from its weights and from scratch.
  void train_smaller(const Member& smaller) {
    TrainObserver observer;
    observer.stepped = [this](const TrainProgress&) { report_share(0.65); };
    const FineTuning how{.steps = request_.scale.fine_tune_steps};
    keep(fine_tune(smaller, how, {request_.run + "/fine-tuned", sets_.score}, request_.team,
                   observer));
    if (!request_.from_scratch) return;
    Config config = smaller.config;
    config.train.steps = request_.scale.scratch_steps;
    config.train.eval_every = std::min(config.train.eval_every, config.train.steps);
    keep(from_scratch(config, {request_.run + "/from-scratch", sets_.score}, request_.team,
                      observer));
  }
  void keep(std::optional<SmallerModel> model) {
    if (model) record_.pruning.smaller.push_back(std::move(*model));
  }

  void trace_carries() {
    PatchOptions patching;
    patching.pairs = request_.scale.patch_pairs;
    record_.patching = patch_member(member_, patching, request_.team, between(0.7, 0.8));
    const ProbeProblems problems =
        draw_probe_problems(member_.config, request_.scale.probe_train, request_.scale.probe_test);
    record_.probing = probe_member(member_, problems, {}, request_.team, between(0.8, 0.85));
  }

  void through_training() {
    Member then = load_member(request_.run);
    const auto steps = log_spaced(member_.config.train.steps, request_.scale.snapshots);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      load_weights(request_.run + "/" + snapshot_name(steps[i]), then.weights);
      then.weights.pack();
      record_.snapshots.push_back(SnapshotLens(then, task_, sets_, request_.team).look(steps[i]));
      report_share(0.85 + 0.15 * static_cast<double>(i + 1) / static_cast<double>(steps.size()));
    }
  }

  const AnalysisRequest& request_;
  Member member_;
  Addition task_;
  TrainingLog log_;
  ProblemSets sets_;
  MemberRecord record_;
};

}  // namespace

MemberRecord analyse_member(const AnalysisRequest& request) {
  return Analysis(request).run();
}

}  // namespace heddle
