// See exam.hpp.
#include "heddle/study/sortedness/exam.hpp"

#include <array>

#include "heddle/config/sequences.hpp"
#include "heddle/eval/sortedness.hpp"

namespace heddle {
namespace {

constexpr std::array<Index, 7> kLengths{8, 12, 16, 32, 64, 128, 256};
constexpr std::array<Index, 2> kFarLengths{1024, 4096};

/// The kinds that are asked with windowed values too, and far beyond.
constexpr std::array kHard{Spoil{.kind = NegativeKind::adjacent},
                           Spoil{.kind = NegativeKind::dip, .delta = 1}};

SetSpec spec_of(Index length, const Spoil& spoil, ValueKind values, Index count) {
  return {.length = length,
          .kind = spoil.kind,
          .delta = spoil.delta,
          .values = values,
          .count = count,
          .seed = kSetSeed};
}

/// What is asked beyond 256 only of those whose training promises anything there.
void add_far(std::vector<SetSpec>& sets, const SortednessRecipe& recipe,
             const SortednessScale& scale) {
  for (const Index length : kFarLengths)
    for (const Spoil& spoil : kHard)
      for (const ValueKind values : {ValueKind::uniform, ValueKind::windowed})
        if (length <= recipe.longest && scale.far_count > 0)
          sets.push_back(spec_of(length, spoil, values, scale.far_count));
}

/// Deeper dips, at the longest of the usual lengths.
void add_dips(std::vector<SetSpec>& sets, const SortednessScale& scale) {
  for (const std::int32_t delta : kDipDepths)
    if (delta > 1)
      sets.push_back(spec_of(kLengths.back(), {.kind = NegativeKind::dip, .delta = delta},
                             ValueKind::uniform, scale.count));
}

void describe(SortMember& record, const Config& config) {
  record.seed = config.seed;
  record.position = field_text(config.model.position);
  record.pooling = field_text(config.model.pooling);
  record.normaliser = field_text(config.model.normaliser);
  record.direction = field_text(config.model.direction);
  record.norm = field_text(config.model.norm);
  record.values = field_text(config.task.values);
  record.kinds = config.task.kinds;
  record.lengths = config.task.lengths;
  record.layers = config.model.layers;
  record.d_model = config.model.d_model;
  record.heads = config.model.heads;
  record.steps = config.train.steps;
  record.batch = config.train.batch;
}

void take_log(SortMember& record, const TrainingLog& log) {
  record.best_step = log.best_step;
  for (const Warning& warning : log.warnings) record.watchdogs.push_back(text_of(warning));
  for (const LogRow& row : log.rows)
    record.log.push_back({.step = row.step,
                          .train_loss = row.train_loss,
                          .validation_loss = row.validation_loss,
                          .accuracy = row.accuracy.share(),
                          .predicted_positive = row.predicted_positive});
}

/// Whether this cell is what the member trained on: inside the range, a kind of its mix.
bool trained_on(const SortCell& cell, const Config& config) {
  const LengthRange lengths = parse_lengths(config.task.lengths);
  if (cell.length < lengths.least || cell.length > lengths.most) return false;
  for (const NegativeKind kind : parse_kinds(config.task.kinds))
    if (field_text(kind) == cell.kind) return true;
  return false;
}

void judge_range(SortMember& record, const Config& config) {
  std::int64_t correct = 0, total = 0;
  double positive = 0;
  for (const SortCell& cell : record.cells) {
    if (!trained_on(cell, config)) continue;
    correct += cell.correct;
    total += cell.total;
    positive += cell.predicted_positive * static_cast<double>(cell.total);
  }
  if (total == 0) return;
  constexpr double kConstant = 0.99;
  const double share = positive / static_cast<double>(total);
  record.in_range = static_cast<double>(correct) / static_cast<double>(total);
  record.learned = record.in_range >= kLearnedBar;
  record.constant = share >= kConstant || share <= 1 - kConstant;
}

}  // namespace

std::vector<SetSpec> exam_sets(const SortednessRecipe& recipe, const SortednessScale& scale) {
  const bool thorough =
      recipe.group == SortednessGroup::recipe || recipe.group == SortednessGroup::hand_built;
  const Index count = thorough ? scale.recipe_count : scale.count;
  std::vector<SetSpec> sets;
  for (const Index length : kLengths) {
    for (std::size_t kind = 0; kind < kNegativeKinds; ++kind) {
      const auto each = static_cast<NegativeKind>(kind);
      sets.push_back(spec_of(length, {.kind = each, .delta = each == NegativeKind::dip ? 1 : 0},
                             ValueKind::uniform, count));
    }
    for (const Spoil& spoil : kHard)
      sets.push_back(spec_of(length, spoil, ValueKind::windowed, count));
    sets.push_back(as_reported(length, kSetSeed));
  }
  if (thorough) add_dips(sets, scale);
  add_far(sets, recipe, scale);
  return sets;
}

SortMember examine_sorter(const SortednessRecipe& recipe, const Member& member,
                          const TrainingLog& log, const SortednessScale& scale,
                          const ExamRequest& request) {
  SortMember record;
  record.recipe = recipe.name;
  describe(record, member.config);
  record.parameters = member.model->layout().parameter_count();
  take_log(record, log);
  const std::vector<SetSpec> sets = exam_sets(recipe, scale);
  double done = 0, total = 0;
  for (const SetSpec& spec : sets) total += static_cast<double>(spec.count * spec.length);
  const ExamSetup setup =
      exam_setup(member, request.team, [&](Index, Index) { request.progress(done / total); });
  record.threshold = kTrainedThreshold;
  for (const SetSpec& spec : sets) {
    SortCell cell = score_set(setup, member.config, spec, record.threshold);
    if (spec.coin_flip) cell.kind = kAsReported;
    record.cells.push_back(std::move(cell));
    done += static_cast<double>(spec.count * spec.length);
    request.progress(done / total);
  }
  judge_range(record, member.config);
  return record;
}

}  // namespace heddle
