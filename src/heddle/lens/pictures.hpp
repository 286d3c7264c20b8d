// Pictures of attention: one input, its real tokens on the axes.
#pragma once

#include <vector>

#include "heddle/lens/answer.hpp"
#include "heddle/record/attention.hpp"

namespace heddle {

// In pictures that are kept weights are rounded to 1e-4, so a row sums to 1 within half of that per
// key.

/// A weight as pictures keep it.
double rounded_weight(double weight);

/// The attention of one answer, with what was answered.
AttentionPicture picture_of(const Answer& answer);

/// The attention on at most `most` of the task's test questions, from all over them. The decoder
/// reads the right answer; where the model gives it, that is what greedy decoding reads. Questions
/// and answers of more than `most_tokens` are passed over.
std::vector<AttentionPicture> test_pictures(const Member& member, const Task& task, Index most,
                                            Index most_tokens);

}  // namespace heddle
