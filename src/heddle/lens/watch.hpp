// Watching a member work: greedy decoding of problems, then one pass that shows every activation.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "heddle/base/parallel.hpp"
#include "heddle/lens/forced_set.hpp"
#include "heddle/task/problem.hpp"

namespace heddle {

/// What a member read and said, problem by problem.
struct Decoded {
  Index count = 0, source_length = 0, target_length = 0;
  std::vector<std::int32_t> source;  ///< [count, source_length] what the encoder read
  std::vector<std::int32_t> target;  ///< [count, target_length] what the decoder read
  std::vector<std::int32_t> said;    ///< [count, target_length] what it answered
};
/// Called between blocks; may throw.
using DecodeProgress = std::function<void(Index done, Index total)>;

/// Greedy answers, the same that an evaluation scores.
Decoded decode_problems(const Member& member, std::span<const Problem> problems, Team& team,
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
  /// Problems `first` … `first + count − 1`.
  void pass(const Decoded& decoded, Index first, Index count) const;

 private:
  const Member* member_;
  Edits edits_;
};

/// The shape that each activation tap has for one question as long as the longest that train, by
/// tap; empty shapes for weights.
std::vector<Shape> tap_shapes(const Member& member);

}  // namespace heddle
