// See sortedness.hpp.
#include "heddle/eval/sortedness.hpp"

#include <algorithm>

#include "heddle/base/index.hpp"
#include "heddle/config/sequences.hpp"
#include "heddle/eval/ceiling.hpp"
#include "heddle/nn/pooling.hpp"
#include "heddle/task/row_layout.hpp"

namespace heddle {
namespace {

constexpr Index kBlockTokens = 4096;  // of one pass: activations of a few MB

std::vector<std::int32_t> labels_of(const SortedSet& set) {
  std::vector<std::int32_t> labels(to_size(set.size()));
  Sequence values(to_size(set.spec().length));
  for (std::size_t i = 0; i < labels.size(); ++i)
    labels[i] = set.twins() ? static_cast<std::int32_t>(1 - i % 2)
                            : static_cast<std::int32_t>(set.draw(static_cast<Index>(i), values));
  return labels;
}

}  // namespace

std::vector<double> margins_of(const ExamSetup& setup, const Exam& exam) {
  const Index rows = std::max<Index>(1, kBlockTokens / std::max<Index>(1, exam.longest_input()));
  std::vector<double> margins;
  margins.reserve(to_size(exam.size()));
  const auto ask = [&](Index first, Index count) {
    Questions questions;
    exam.block(first, count, questions);
    EncodedQuestions encoded;
    setup.model.encode_questions(questions, 0, count,
                                 {.seed = setup.seed, .first = static_cast<std::uint64_t>(first)},
                                 encoded);
    Run run(setup.weights, setup.edits);
    const Tensor logits = setup.model.forward(run, encoded.all()).value;
    const auto* at = logits.data<float>();
    std::vector<double> found;
    for (Index i = 0; i < count; ++i)
      found.push_back(static_cast<double>(at[2 * i + 1]) - static_cast<double>(at[2 * i]));
    return found;
  };
  run_blocks<std::vector<double>>(setup, exam.size(), rows, ask, [&](const auto& part) {
    margins.insert(margins.end(), part.begin(), part.end());
  });
  return margins;
}

SortCell score_set(const ExamSetup& setup, const Config& config, const SetSpec& spec,
                   double threshold) {
  const SortedSet set(spec);
  const std::vector<double> margins = margins_of(setup, SortedExam(spec));
  const std::vector<std::int32_t> labels = labels_of(set);
  const SortScore score = score_sorted({.margins = margins, .labels = labels},
                                       {.threshold = threshold, .twins = set.twins()});
  return cell_of(spec, score, set.makeup(), ceiling_for(config, spec));
}

double ceiling_for(const Config& config, const SetSpec& spec) {
  const ModelConfig& model = config.model;
  if (spec.coin_flip) return kNoCeiling;
  const auto pooling = static_cast<PoolingKind>(model.pooling);
  const bool both = model.direction == DirectionKind::both;
  const LengthRange lengths = parse_lengths(config.task.lengths);
  const RowLayout layout = row_layout(model);
  CeilingModel about;
  // A head that looks one way only tells the order even without an encoding.
  const bool directed = !both && model.position == PositionKind::none;
  const std::string name = directed ? "directed" : field_text(model.position);
  about.position = name;
  about.symmetric_pooling = symmetric(pooling);
  about.symmetric_direction = both && sides_alike(model.position);
  const bool clamped =
      model.position == PositionKind::learned && model.position_past_end == PastEndKind::clamp;
  about.table = clamped ? std::max<Index>(model.position_rows, layout.length(lengths.most)) : 0;
  about.front = layout.front();
  return ceiling_of(about, spec);
}

}  // namespace heddle
