// Pictures of attention for any task: the first questions of a set.
#pragma once

#include <vector>

#include "heddle/lens/run_task.hpp"
#include "heddle/record/attention.hpp"

namespace heddle {

/// The attention on at most `most` of the task's test questions, from all over them, real tokens on
/// the axes. The decoder reads the right answer; where the model gives it, that is what greedy
/// decoding reads. Questions and answers of more than `most_tokens` are passed over.
std::vector<AttentionPicture> test_pictures(const Member& member, const RunTask& task, Index most,
                                            Index most_tokens);

}  // namespace heddle
