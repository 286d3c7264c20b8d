// Watching a member work: what it says to questions of any task, then one pass that shows every
// activation.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "heddle/base/index.hpp"
#include "heddle/base/parallel.hpp"
#include "heddle/model/input.hpp"
#include "heddle/model/member.hpp"

namespace heddle {

/// What a member read and said, question by question. An answer of words ends with its EOS, and PAD
/// follows; all are as long as the longest of them.
struct Decoded {
  EncodedQuestions read;             ///< with what it said in the place of the right answers
  std::vector<std::int32_t> said;    ///< [question, position] what it answered, or the class
  std::vector<Index> answer_length;  ///< [question] with the EOS; empty: all positions

  Index size() const { return read.size; }
  bool labels() const { return read.labels; }
  Index positions() const { return read.positions(); }
  /// Questions `first` … `first + count − 1`, as the model takes them.
  ModelInput input(Index first, Index count) const { return read.part(first, count); }
  /// Tokens of a question that are no padding.
  Index used(Stream stream, Index question) const;
  /// The same tokens.
  std::span<const std::int32_t> tokens(Stream stream, Index question) const {
    return read.tokens(stream, question).first(to_size(used(stream, question)));
  }
  std::span<const std::int32_t> answer_row(Index question) const;
};
/// Called between blocks; may throw.
using DecodeProgress = std::function<void(Index done, Index total)>;

/// Greedy answers (of a classifier the most likely label), the same that an evaluation scores; the
/// right answers are not looked at.
Decoded decode_questions(const Member& member, const EncodedQuestions& questions, Team& team,
                         const DecodeProgress& progress = {});

/// Runs the whole model once over what greedy decoding left and shows every activation tap. Since a
/// position sees only what stands before it, these are the activations of the greedy run. All taps
/// are watched whatever the viewer wants, so a value never depends on what else was asked for.
class Watcher {
 public:
  using See = std::function<void(TapId, const Tensor&)>;

  /// `member` must outlive the watcher.
  Watcher(const Member& member, const See& see);
  void pass(const ModelInput& input) const;

 private:
  const Member* member_;
  Edits edits_;
};

/// The shape that each activation tap has for one question as long as the longest that train, by
/// tap; empty shapes for weights.
std::vector<Shape> tap_shapes(const Member& member);
/// The same for one of these questions: they are as long as the longest of them.
std::vector<Shape> tap_shapes(const Member& member, const Decoded& decoded);

}  // namespace heddle
