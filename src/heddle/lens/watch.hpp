// Watching a member work: greedy answers to questions of any task, then one pass that shows every
// activation.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "heddle/base/parallel.hpp"
#include "heddle/lens/forced_set.hpp"
#include "heddle/task/addition/problem.hpp"

namespace heddle {

/// What a member read and said, question by question. An answer of words ends with its EOS, and PAD
/// follows; all are as long as the longest of them.
struct Decoded {
  Index count = 0, source_length = 0;
  Index target_length = 0;           ///< 0 for a classifier
  std::vector<std::int32_t> source;  ///< [count, source_length] what the encoder read
  std::vector<std::int32_t> target;  ///< [count, target_length] what the decoder read
  std::vector<std::int32_t> said;    ///< [count, positions()] what it answered, or the class
  std::vector<std::uint8_t> source_valid{};          ///< as source, 0 = padding; empty: no padding
  std::vector<Index> answer_length{};                ///< [count] with the EOS; empty: all positions
  std::shared_ptr<const ForcedSet> classified = {};  ///< a classifier's own input

  bool labels() const { return classified != nullptr; }
  Index positions() const { return labels() ? 1 : target_length; }
  /// Questions `first` … `first + count − 1`, as the model takes them.
  ModelInput input(Index first, Index count) const;
  /// Tokens of a question that are no padding.
  Index used(Stream stream, Index question) const;
  /// The same tokens.
  std::span<const std::int32_t> tokens(Stream stream, Index question) const;
  std::span<const std::int32_t> said_at(Index question) const;
};
/// Called between blocks; may throw.
using DecodeProgress = std::function<void(Index done, Index total)>;

/// Greedy answers, the same that an evaluation scores.
Decoded decode_problems(const Member& member, std::span<const Problem> problems, Team& team,
                        const DecodeProgress& progress = {});
/// The same for any task; the right answers of the set are not looked at.
Decoded decode_questions(const Member& member, const ForcedSet& set, Team& team,
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
  /// Questions `first` … `first + count − 1`.
  void pass(const Decoded& decoded, Index first, Index count) const {
    pass(decoded.input(first, count));
  }

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
