// See sequence_answer.hpp.
#include "heddle/lens/sequence_answer.hpp"

#include <algorithm>

#include "heddle/base/rng.hpp"
#include "heddle/model/classifier/rows.hpp"
#include "heddle/task/sortedness/values.hpp"

namespace heddle {
namespace {

/// The logits of every row, under these edits.
Tensor pass(const Member& member, const LabelledBatch& batch, const Edits* edits) {
  ClassifierRows beside;
  beside.fill(batch, member.config.model, {.seed = member.config.seed});
  Run run(member.weights, edits);
  return member.model->forward(run, beside.part(batch, 0, batch.size)).value;
}

LabelledBatch batch_of(const Member& member, std::span<const LabelledSequence> rows) {
  LabelledBatch batch;
  encode(rows, layout_of(member.config.model), batch);
  return batch;
}

double margin(const Tensor& logits) {
  const auto* at = logits.data<float>();
  return static_cast<double>(at[1]) - static_cast<double>(at[0]);
}

/// The mean of z [batch, position, head, feature] over the rows, for each attention.
struct MeanOutputs {
  const HeadGroup& group;
  Shape shape;              ///< [1, position, head, feature]
  std::vector<float> mean;  ///< the same, flat
};

std::vector<MeanOutputs> mean_outputs(const Member& member, Index length, Index count) {
  std::vector<LabelledSequence> rows(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Rng rng(member.config.seed, "answer.reference", i);
    rows[i].values.resize(static_cast<std::size_t>(length));
    draw_sorted(rng, member.config.task.values, rows[i].values);
    rows[i].sorted = true;
  }
  std::vector<MeanOutputs> all;
  Edits edits(member.model->taps());
  const auto take = [&](const HeadGroup& group, const Var& x) {
    const Tensor& z = x.value;
    MeanOutputs one{.group = group,
                    .shape = {1, z.dim(1), z.dim(2), z.dim(3)},
                    .mean = std::vector<float>(static_cast<std::size_t>(z.size() / z.dim(0)))};
    for (Index i = 0; i < z.size(); ++i)
      one.mean[static_cast<std::size_t>(i) % one.mean.size()] +=
          z.data<float>()[i] / static_cast<float>(z.dim(0));
    all.push_back(std::move(one));
    return x;
  };
  for (const HeadGroup& group : member.model->taps().heads())
    if (group.heads > 0)
      edits.on(member.model->taps()[group.z].path,
               [&](const TapSite&, const Var& x) { return take(group, x); });
  pass(member, batch_of(member, rows), &edits);
  return all;
}

/// z with one head's slice replaced.
Tensor with_mean(const Tensor& z, const MeanOutputs& outputs, Index head) {
  Tensor y = Tensor::uninitialised(z.shape(), z.dtype());
  auto* out = y.write<float>();
  const Index heads = z.dim(2), d = z.dim(3);
  for (Index i = 0; i < z.size(); ++i)
    out[i] = i / d % heads == head ? outputs.mean[static_cast<std::size_t>(i)] : z.data<float>()[i];
  return y;
}

std::vector<SequenceHead> heads_behind(const Member& member, const LabelledBatch& batch,
                                       bool sorted, Index references) {
  const double sign = sorted ? 1 : -1;
  const double whole = sign * margin(pass(member, batch, nullptr));
  std::vector<SequenceHead> heads;
  for (const MeanOutputs& outputs :
       mean_outputs(member, batch.length - layout_of(member.config.model).length(0), references))
    for (Index head = 0; head < outputs.shape[2]; ++head) {
      Edits edits(member.model->taps());
      edits.on(member.model->taps()[outputs.group.z].path, [&](const TapSite&, const Var& x) {
        return Var{with_mean(x.value, outputs, head)};
      });
      heads.push_back({.head = fmt::format("{}.head.{}", outputs.group.module, head),
                       .effect = whole - sign * margin(pass(member, batch, &edits))});
    }
  std::ranges::stable_sort(heads, std::greater{}, &SequenceHead::effect);
  return heads;
}

}  // namespace

std::string sort_token_text(std::int32_t token) {
  if (token < kValueCount) return std::to_string(token);
  if (token == kSortPad) return "PAD";
  return token == kSortBos ? "BOS" : "CLS";
}

std::vector<AttentionMap> sequence_attention(const Member& member, const Sequence& values) {
  std::vector<AttentionMap> maps;
  Edits edits(member.model->taps());
  for (const HeadGroup& group : member.model->taps().heads()) {
    if (group.heads == 0) continue;
    edits.on(member.model->taps()[group.pattern].path, [&](const TapSite&, const Var& x) {
      const auto numbers = x.value.flat<float>();
      maps.push_back({.module = group.module,
                      .heads = x.value.dim(1),
                      .queries = x.value.dim(2),
                      .keys = x.value.dim(3),
                      .weights = {numbers.begin(), numbers.end()}});
      return x;
    });
  }
  const LabelledSequence row{.values = values, .sorted = is_sorted(values)};
  pass(member, batch_of(member, std::span(&row, 1)), &edits);
  return maps;
}

SequenceAnswer answer_sequence(const Member& member, const Sequence& values, Index references) {
  const LabelledSequence row{.values = values, .sorted = is_sorted(values)};
  const LabelledBatch batch = batch_of(member, std::span(&row, 1));
  const Tensor logits = pass(member, batch, nullptr);
  SequenceAnswer answer{.values = values,
                        .sorted = row.sorted,
                        .said = margin(logits) > 0,
                        .logits = {logits.data<float>(), logits.data<float>() + 2},
                        .tokens = {},
                        .attention = sequence_attention(member, values),
                        .heads = heads_behind(member, batch, row.sorted, references)};
  for (const std::int32_t token : batch.row(0)) answer.tokens.push_back(sort_token_text(token));
  return answer;
}

}  // namespace heddle
