// See watch.hpp.
#include "heddle/lens/watch.hpp"

#include <algorithm>

#include "heddle/base/index.hpp"
#include "heddle/lens/asked.hpp"

namespace heddle {
namespace {

constexpr Index kWatchBlock = 250;  // questions in one pass
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

/// What the decoder read while it said that: the start, then what it had said.
void read_own_answers(Index length, Decoded& decoded) {
  EncodedQuestions& read = decoded.read;
  read.target_length = length;
  read.target_in.resize(decoded.said.size());
  read.wanted.clear();
  read.scored.clear();
  for (Index row = 0; row < read.size; ++row) {
    const auto said = decoded.said.begin() + row * length;
    const auto in = read.target_in.begin() + row * length;
    *in = read.start;
    std::copy_n(said, length - 1, in + 1);
  }
}

/// Cuts every answer behind its EOS, and all of them behind the longest.
void end_answers(const TaskShape& shape, Decoded& decoded) {
  const Index length = decoded.read.target_length, count = decoded.size();
  for (Index i = 0; i < count; ++i) {
    const auto said = decoded.answer_row(i);
    const Index words = std::ranges::find(said, shape.eos()) - said.begin();
    decoded.answer_length.push_back(std::min(words + 1, length));
  }
  const Index longest = std::ranges::max(decoded.answer_length);
  const auto cut = [&](std::vector<std::int32_t>& tokens) {
    std::vector<std::int32_t> kept(to_size(count * longest), shape.pad());
    for (Index i = 0; i < count; ++i)
      std::copy_n(tokens.begin() + i * length, decoded.answer_length[to_size(i)],
                  kept.begin() + i * longest);
    tokens = std::move(kept);
  };
  cut(decoded.said);
  cut(decoded.read.target_in);
  decoded.read.target_length = longest;
}

std::vector<Shape> shapes_of(const Member& member, const ModelInput& input) {
  std::vector<Shape> shapes(member.model->taps().points().size());
  const Watcher watcher(member,
                        [&](TapId id, const Tensor& x) { shapes[to_size(id)] = x.shape(); });
  watcher.pass(input);
  return shapes;
}

}  // namespace

Index Decoded::used(Stream stream, Index question) const {
  if (stream == Stream::source) return read.used(stream, question);
  return answer_length.empty() ? read.target_length : answer_length[to_size(question)];
}

std::span<const std::int32_t> Decoded::answer_row(Index question) const {
  return std::span(said).subspan(to_size(question * positions()), to_size(positions()));
}

Decoded decode_questions(const Member& member, const EncodedQuestions& questions, Team& team,
                         const DecodeProgress& progress) {
  check<UsageError>(questions.size > 0, "there are no questions to ask");
  const TaskShape& shape = member.model->shape();
  const Index length = questions.labels ? 1 : shape.target_length();
  Decoded decoded{.read = questions,
                  .said = std::vector<std::int32_t>(to_size(questions.size * length)),
                  .answer_length = {}};
  each_block(questions.size, team, progress, [&](Index first, Index count) {
    Run run(member.weights);
    Activations at;
    member.model->answer(
        run, questions.part(first, count), at,
        std::span(decoded.said).subspan(to_size(first * length), to_size(count * length)));
  });
  if (questions.labels) return decoded;
  read_own_answers(length, decoded);
  // A number has all its digits, whatever is said at their places.
  if (!shape.counts_digits()) end_answers(shape, decoded);
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

std::vector<Shape> tap_shapes(const Member& member) {
  const TaskShape& shape = member.model->shape();
  const std::vector<std::int32_t> input(to_size(shape.longest_input)),
      output(to_size(shape.labels ? 1 : shape.longest_output));
  Questions longest;
  longest.add(input, output);
  return shapes_of(member, encoded(member, longest).all());
}

std::vector<Shape> tap_shapes(const Member& member, const Decoded& decoded) {
  return shapes_of(member, decoded.input(0, 1));
}

}  // namespace heddle
