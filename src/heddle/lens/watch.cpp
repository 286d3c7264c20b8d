// See watch.hpp.
#include "heddle/lens/watch.hpp"

#include <algorithm>

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
  member.seq2seq().encode(run, source, at);
  const std::span said(decoded.said.data() + first * length,
                       static_cast<std::size_t>(count * length));
  greedy_decode(
      member.seq2seq(), run,
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

void Watcher::pass(const ModelInput& input) const {
  Run run(member_->weights, &edits_);
  member_->model->forward(run, input);
}

void Watcher::pass(const Decoded& decoded, Index first, Index count) const {
  const Tokens source = rows(decoded.source, first, count, decoded.source_length);
  const Tokens target = rows(decoded.target, first, count, decoded.target_length);
  pass({.source = source, .target = target});
}

std::vector<Shape> tap_shapes(const Member& member) {
  std::vector<Shape> shapes(member.model->taps().points().size());
  const Watcher watcher(
      member, [&](TapId id, const Tensor& x) { shapes[static_cast<std::size_t>(id)] = x.shape(); });
  if (member.config.classifies()) {
    const std::vector<std::int32_t> input(
        static_cast<std::size_t>(shape_of(member.config.task).longest_input)),
        label(1);
    ExampleList list;
    list.add(input, label);
    watcher.pass(ForcedSet(member.config, list, 0, 1).input(0, 1));
    return shapes;
  }
  const SequenceSizes& sizes = member.seq2seq().sizes();
  const std::vector<std::int32_t> source(static_cast<std::size_t>(sizes.source_length)),
      target(static_cast<std::size_t>(sizes.target_length));
  watcher.pass({.source = rows(source, 0, 1, sizes.source_length),
                .target = rows(target, 0, 1, sizes.target_length)});
  return shapes;
}

}  // namespace heddle
