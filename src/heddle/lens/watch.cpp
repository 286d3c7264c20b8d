// See watch.hpp.
#include "heddle/lens/watch.hpp"

#include <algorithm>

#include "heddle/kernels/loss.hpp"
#include "heddle/model/seq2seq/greedy.hpp"

namespace heddle {
namespace {

constexpr Index kWatchBlock = 250;  // problems in one pass
constexpr Index kRound = 16;        // blocks between two reports of progress

/// Calls decode(first, count) for all blocks of questions, spread over the team.
template <class Decode>
void each_block(Index size, Team& team, const DecodeProgress& progress, const Decode& decode) {
  const Index blocks = (size + kWatchBlock - 1) / kWatchBlock;
  for (Index done = 0; done < blocks; done += kRound) {
    const auto pieces = static_cast<int>(std::min(kRound, blocks - done));
    team.run(pieces, [&](int piece) {
      const Index first = (done + piece) * kWatchBlock;
      decode(first, std::min(kWatchBlock, size - first));
    });
    if (progress) progress(std::min((done + pieces) * kWatchBlock, size), size);
  }
}

/// Fills `said` and the rest of `target` for some of the questions.
void decode_block(const Member& member, std::int32_t start, Index first, Index count,
                  Decoded& decoded) {
  const Index length = decoded.target_length;
  Run run(member.weights);
  const Tokens source = decoded.input(first, count).source;
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

Decoded classify(const Member& member, const ForcedSet& set, Team& team,
                 const DecodeProgress& progress) {
  Decoded decoded{.count = set.size(),
                  .source_length = set.source_length(),
                  .source = {},
                  .target = {},
                  .said = std::vector<std::int32_t>(static_cast<std::size_t>(set.size())),
                  .classified = std::make_shared<ForcedSet>(set)};
  const ModelInput all = set.input(0, set.size());
  const auto tokens = static_cast<std::size_t>(set.size() * set.source_length());
  decoded.source.assign(all.source.ids, all.source.ids + tokens);
  if (all.source.valid != nullptr)
    decoded.source_valid.assign(all.source.valid, all.source.valid + tokens);
  each_block(decoded.count, team, progress, [&](Index first, Index count) {
    Run run(member.weights);
    const Tensor logits = member.model->forward(run, set.input(first, count)).value;
    kernels::argmax(logits.rows<float>(), decoded.said.data() + first);
  });
  return decoded;
}

/// Cuts every answer behind its EOS, and all of them behind the longest.
void end_answers(const TaskShape& shape, Decoded& decoded) {
  const Index length = decoded.target_length;
  for (Index i = 0; i < decoded.count; ++i) {
    const auto said = decoded.said_at(i);
    const Index words = std::ranges::find(said, shape.eos()) - said.begin();
    decoded.answer_length.push_back(std::min(words + 1, length));
  }
  decoded.target_length = std::ranges::max(decoded.answer_length);
  const auto cut = [&](std::vector<std::int32_t>& tokens) {
    std::vector<std::int32_t> kept(static_cast<std::size_t>(decoded.count * decoded.target_length),
                                   shape.pad());
    for (Index i = 0; i < decoded.count; ++i)
      std::copy_n(tokens.begin() + i * length, decoded.answer_length[static_cast<std::size_t>(i)],
                  kept.begin() + i * decoded.target_length);
    tokens = std::move(kept);
  };
  cut(decoded.said);
  cut(decoded.target);
}

}  // namespace

ModelInput Decoded::input(Index first, Index some) const {
  if (labels()) return classified->input(first, some);
  const Index from = first * source_length;
  return {
      .source = {.ids = source.data() + from,
                 .batch = some,
                 .length = source_length,
                 .valid = source_valid.empty() ? nullptr : source_valid.data() + from},
      .target = {
          .ids = target.data() + first * target_length, .batch = some, .length = target_length}};
}

Index Decoded::used(Stream stream, Index question) const {
  if (stream != Stream::source)
    return answer_length.empty() ? target_length
                                 : answer_length[static_cast<std::size_t>(question)];
  if (source_valid.empty()) return source_length;
  const auto first = source_valid.begin() + question * source_length;
  return std::count(first, first + source_length, std::uint8_t{1});
}

std::span<const std::int32_t> Decoded::tokens(Stream stream, Index question) const {
  const bool from_source = stream == Stream::source;
  const Index length = from_source ? source_length : target_length;
  return std::span(from_source ? source : target)
      .subspan(static_cast<std::size_t>(question * length),
               static_cast<std::size_t>(used(stream, question)));
}

std::span<const std::int32_t> Decoded::said_at(Index question) const {
  return std::span(said).subspan(static_cast<std::size_t>(question * positions()),
                                 static_cast<std::size_t>(positions()));
}

Decoded decode_problems(const Member& member, std::span<const Problem> problems, Team& team,
                        const DecodeProgress& progress) {
  return decode_questions(member, ForcedSet(member.config.task, problems), team, progress);
}

Decoded decode_questions(const Member& member, const ForcedSet& set, Team& team,
                         const DecodeProgress& progress) {
  check<UsageError>(set.size() > 0, "there are no questions to ask");
  if (set.labels()) return classify(member, set, team, progress);
  const Batch& batch = set.batch();
  Decoded decoded{.count = batch.size,
                  .source_length = batch.source_length,
                  .target_length = member.seq2seq().sizes().target_length,
                  .source = batch.source,
                  .target = {},
                  .said = {},
                  .source_valid = batch.source_valid};
  decoded.target.resize(static_cast<std::size_t>(decoded.count * decoded.target_length));
  decoded.said.resize(decoded.target.size());
  each_block(decoded.count, team, progress, [&](Index first, Index count) {
    decode_block(member, set.start_token(), first, count, decoded);
  });
  if (!set.adds()) end_answers(shape_of(member.config.task), decoded);
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

namespace {

std::vector<Shape> shapes_of(const Member& member, const ModelInput& input) {
  std::vector<Shape> shapes(member.model->taps().points().size());
  const Watcher watcher(
      member, [&](TapId id, const Tensor& x) { shapes[static_cast<std::size_t>(id)] = x.shape(); });
  watcher.pass(input);
  return shapes;
}

}  // namespace

std::vector<Shape> tap_shapes(const Member& member) {
  if (member.config.classifies()) {
    const std::vector<std::int32_t> input(
        static_cast<std::size_t>(shape_of(member.config.task).longest_input)),
        label(1);
    ExampleList list;
    list.add(input, label);
    return shapes_of(member, ForcedSet(member.config, list, 0, 1).input(0, 1));
  }
  const SequenceSizes& sizes = member.seq2seq().sizes();
  const std::vector<std::int32_t> source(static_cast<std::size_t>(sizes.source_length)),
      target(static_cast<std::size_t>(sizes.target_length));
  return shapes_of(member,
                   {.source = {.ids = source.data(), .batch = 1, .length = sizes.source_length},
                    .target = {.ids = target.data(), .batch = 1, .length = sizes.target_length}});
}

std::vector<Shape> tap_shapes(const Member& member, const Decoded& decoded) {
  return shapes_of(member, decoded.input(0, 1));
}

}  // namespace heddle
