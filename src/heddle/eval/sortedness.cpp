// See sortedness.hpp.
#include "heddle/eval/sortedness.hpp"

#include <algorithm>
#include <cmath>

#include "heddle/config/sequences.hpp"
#include "heddle/eval/ceiling.hpp"
#include "heddle/model/classifier/rows.hpp"

namespace heddle {
namespace {

constexpr Index kBlockTokens = 4096;  // of one pass: activations of a few MB

double softplus(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}

/// Runs blocks of sequences over the team. fill(first, count, batch) makes the rows of a block.
template <class Fill>
std::vector<double> run_blocks(const SortednessExam& exam, Index total, Index length, Fill fill) {
  const Index rows = std::max<Index>(1, kBlockTokens / length);
  const Index blocks = (total + rows - 1) / rows, round = Index{4} * exam.team.size();
  std::vector<double> margins(static_cast<std::size_t>(total));
  const auto one = [&](Index block) {
    const Index first = block * rows, count = std::min(rows, total - first);
    LabelledBatch batch;
    fill(first, count, batch);
    ClassifierRows beside;
    beside.fill(batch, exam.config.model,
                {.seed = exam.config.seed,
                 .purpose = Purpose::evaluation,
                 .first = static_cast<std::uint64_t>(first)});
    Run run(exam.weights, exam.edits);
    const Tensor logits = exam.model.forward(run, beside.part(batch, 0, count)).value;
    const auto* at = logits.data<float>();
    for (Index i = 0; i < count; ++i)
      margins[static_cast<std::size_t>(first + i)] =
          static_cast<double>(at[2 * i + 1]) - static_cast<double>(at[2 * i]);
  };
  for (Index first = 0; first < blocks; first += round) {
    const Index count = std::min(round, blocks - first);
    exam.team.run(static_cast<int>(count), [&](int i) { one(first + i); });
    if (exam.progress) exam.progress(std::min(total, (first + count) * rows), total);
  }
  return margins;
}

std::vector<std::int32_t> labels_of(const SortedSet& set) {
  std::vector<std::int32_t> labels(static_cast<std::size_t>(set.size()));
  Sequence values(static_cast<std::size_t>(set.spec().length));
  for (std::size_t i = 0; i < labels.size(); ++i)
    labels[i] = set.twins() ? static_cast<std::int32_t>(1 - i % 2)
                            : static_cast<std::int32_t>(set.draw(static_cast<Index>(i), values));
  return labels;
}

}  // namespace

std::vector<double> margins_of(const SortednessExam& exam,
                               std::span<const LabelledSequence> sequences) {
  std::size_t longest = 1;
  for (const LabelledSequence& each : sequences) longest = std::max(longest, each.values.size());
  return run_blocks(
      exam, static_cast<Index>(sequences.size()), static_cast<Index>(longest),
      [&](Index first, Index count, LabelledBatch& batch) {
        encode(sequences.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count)),
               layout_of(exam.config.model), batch);
      });
}

std::vector<double> margins_of(const SortednessExam& exam, const SortedSet& set) {
  return run_blocks(exam, set.size(), set.spec().length,
                    [&](Index first, Index count, LabelledBatch& batch) {
                      set.block(first, count, layout_of(exam.config.model), batch);
                    });
}

SequenceScore score_sequences(const SortednessExam& exam,
                              std::span<const LabelledSequence> sequences) {
  const std::vector<double> margins = margins_of(exam, sequences);
  SequenceScore score;
  for (std::size_t i = 0; i < margins.size(); ++i) {
    const bool called = margins[i] > 0, sorted = sequences[i].sorted;
    score.accuracy.add(called == sorted);
    score.predicted_positive += called ? 1 : 0;
    score.positives += sorted ? 1 : 0;
    score.loss += softplus(sorted ? -margins[i] : margins[i]);
  }
  const auto count = static_cast<double>(std::max<std::size_t>(margins.size(), 1));
  score.predicted_positive /= count;
  score.positives /= count;
  score.loss /= count;
  return score;
}

SortCell score_set(const SortednessExam& exam, const SetSpec& spec, double threshold) {
  const SortedSet set(spec);
  const std::vector<double> margins = margins_of(exam, set);
  const std::vector<std::int32_t> labels = labels_of(set);
  const SortScore score = score_sorted({.margins = margins, .labels = labels},
                                       {.threshold = threshold, .twins = set.twins()});
  return cell_of(spec, score, set.makeup(), ceiling_for(exam.config, spec));
}

double ceiling_for(const Config& config, const SetSpec& spec) {
  const ModelConfig& model = config.model;
  if (spec.coin_flip) return kNoCeiling;
  const auto pooling = static_cast<PoolingKind>(model.pooling);
  const bool both = model.direction == DirectionKind::both;
  const bool biases = model.position == PositionKind::none ||
                      model.position == PositionKind::alibi ||
                      model.position == PositionKind::kerple;
  const LengthRange lengths = parse_lengths(config.task.lengths);
  const RowLayout layout = layout_of(model);
  CeilingModel about;
  // A head that looks one way only tells the order even without an encoding.
  const bool directed = !both && model.position == PositionKind::none;
  const std::string name = directed ? "directed" : field_text(model.position);
  about.position = name;
  about.symmetric_pooling = symmetric(pooling);
  about.symmetric_direction = both && biases;
  const bool clamped =
      model.position == PositionKind::learned && model.position_past_end == PastEndKind::clamp;
  about.table = clamped ? std::max<Index>(model.position_rows, layout.length(lengths.most)) : 0;
  about.front = layout.front();
  return ceiling_of(about, spec);
}

}  // namespace heddle
