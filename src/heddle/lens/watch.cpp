// See watch.hpp.
#include "heddle/lens/watch.hpp"

#include <algorithm>

#include "heddle/config/sequences.hpp"
#include "heddle/model/classifier_rows.hpp"
#include "heddle/model/greedy.hpp"
#include "heddle/task/encoding.hpp"

namespace heddle {
namespace {

constexpr Index kBlock = 250;  // problems in one pass
constexpr Index kRound = 16;   // blocks between two reports of progress

Tokens rows(const std::vector<std::int32_t>& ids, Index first, Index count, Index length) {
  return {.ids = ids.data() + first * length, .batch = count, .length = length};
}

/// Fills `said` and the rest of `target` for some of the problems.
void decode_block(const Member& member, std::int32_t start, Index first, Index count,
                  Decoded& decoded) {
  const Index length = decoded.target_length;
  Run run(member.weights);
  const Tokens source = rows(decoded.source, first, count, decoded.source_length);
  Activations at;
  member.model->encode(run, source, at);
  const std::span said(decoded.said.data() + first * length,
                       static_cast<std::size_t>(count * length));
  greedy_decode(
      *member.model, run,
      {.source = source, .memory = at.memory, .start = start, .length = length, .tokens = said});
  for (Index row = first; row < first + count; ++row) {
    decoded.target[static_cast<std::size_t>(row * length)] = start;
    std::copy_n(decoded.said.begin() + row * length, length - 1,
                decoded.target.begin() + row * length + 1);
  }
}

}  // namespace

Decoded decode_problems(const Member& member, std::span<const Problem> problems, Team& team,
                        const DecodeProgress& progress) {
  const AdditionEncoding encoding(member.config.task);
  Batch batch;
  encoding.encode(problems, batch);
  Decoded decoded{.count = batch.size,
                  .source_length = batch.source_length,
                  .target_length = batch.target_length,
                  .source = std::move(batch.source),
                  .target = std::vector<std::int32_t>(batch.target_in.size()),
                  .said = std::vector<std::int32_t>(batch.target_in.size())};
  const Index blocks = (decoded.count + kBlock - 1) / kBlock;
  for (Index done = 0; done < blocks; done += kRound) {
    const auto pieces = static_cast<int>(std::min(kRound, blocks - done));
    team.run(pieces, [&](int piece) {
      const Index first = (done + piece) * kBlock;
      decode_block(member, encoding.start_token(), first, std::min(kBlock, decoded.count - first),
                   decoded);
    });
    if (progress) progress(std::min((done + pieces) * kBlock, decoded.count), decoded.count);
  }
  return decoded;
}

Watcher::Watcher(const Member& member, const See& see)
    : member_(&member), edits_(member.model->taps()) {
  const auto& points = member.model->taps().points();
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].is_weight) continue;
    const auto id = static_cast<TapId>(i);
    edits_.on(points[i].path, [see, id](const TapSite&, const Var& x) {
      see(id, x.value);
      return x;
    });
  }
}

void Watcher::pass(const Decoded& decoded, Index first, Index count) const {
  Run run(member_->weights, &edits_);
  const Tokens source = rows(decoded.source, first, count, decoded.source_length);
  const Tokens target = rows(decoded.target, first, count, decoded.target_length);
  Activations at;
  member_->model->encode(run, source, at);
  member_->model->decode(run, source, target, at);
}

std::vector<Shape> tap_shapes(const Member& member) {
  std::vector<Shape> shapes(member.model->taps().points().size());
  const SequenceSizes& sizes = member.model->sizes();
  Decoded one{.count = 1,
              .source_length = sizes.source_length,
              .target_length = sizes.target_length,
              .source = std::vector<std::int32_t>(static_cast<std::size_t>(sizes.source_length)),
              .target = std::vector<std::int32_t>(static_cast<std::size_t>(sizes.target_length)),
              .said = {}};
  const Watcher watcher(
      member, [&](TapId id, const Tensor& x) { shapes[static_cast<std::size_t>(id)] = x.shape(); });
  watcher.pass(one, 0, 1);
  return shapes;
}

std::vector<Shape> tap_shapes(const ClassifierMember& member) {
  const TapTable& taps = member.model->taps();
  std::vector<Shape> shapes(taps.points().size());
  Edits edits(taps);
  for (std::size_t i = 0; i < shapes.size(); ++i)
    if (!taps.points()[i].is_weight)
      edits.on(taps.points()[i].path, [&shapes, i](const TapSite&, const Var& x) {
        shapes[i] = x.value.shape();
        return x;
      });
  const auto length = static_cast<std::size_t>(parse_lengths(member.config.task.lengths).most);
  const LabelledSequence row{.values = Sequence(length), .sorted = true};
  LabelledBatch batch;
  encode(std::span(&row, 1), layout_of(member.config.model), batch);
  ClassifierRows beside;
  beside.fill(batch, member.config.model, {.seed = member.config.seed});
  Run run(member.weights, &edits);
  member.model->forward(run, beside.part(batch, 0, 1));
  return shapes;
}

}  // namespace heddle
