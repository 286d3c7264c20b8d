// Pictures of attention: one input, or the average over the inputs of a class.
#pragma once

#include <span>
#include <vector>

#include "heddle/base/parallel.hpp"
#include "heddle/model/member.hpp"
#include "heddle/record/attention.hpp"
#include "heddle/task/addition/problem.hpp"

namespace heddle {

// In every picture weights are rounded to 1e-4, so a row sums to 1 within half of that per key. In
// the decoder's self-attention keys after the query are masked: their weight is 0, as it may be
// elsewhere too, so a reader tells them by their place (module "decoder.*.self", key > query).

/// The attention of the greedy run averaged over the problems: "all" first, then the classes that
/// have problems, "0 carries", "1 carry", "2 carries", … Axes carry places instead of tokens: a2 a1
/// a0 + b2 b1 b0 in the encoder, BOS s3 s2 s1 s0 in the decoder (the digit counts powers of ten; s
/// is the sum; least first: BOS s0 s1 …; without BOS what is read starts with a digit). Memory does
/// not grow with the number of problems but for their tokens.
std::vector<AttentionPicture> average_pictures(const Member& member,
                                               std::span<const Problem> problems, Team& team);

/// The attention of one input, its real tokens on the axes, with what was answered.
AttentionPicture example_picture(const Member& member, const Problem& problem, Team& team);

/// Instructive inputs, always the same. Three digits: 374+814 (a carry out of the top alone),
/// 123+425 (no carry), 127+358 (one carry), 347+258 (it passes one column of 9), 456+544 (all the
/// way up), 999+001 (the same from one side), 450+549 (all columns 9, nothing to carry). Other
/// numbers of digits alike, column by column; those that would be equal stand once.
std::vector<Problem> example_problems(int digits);

}  // namespace heddle
