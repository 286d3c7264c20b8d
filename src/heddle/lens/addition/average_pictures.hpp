// Attention averaged over additions of a class, and additions worth a picture of their own.
#pragma once

#include <span>
#include <vector>

#include "heddle/base/parallel.hpp"
#include "heddle/model/member.hpp"
#include "heddle/record/attention.hpp"
#include "heddle/task/addition/problem.hpp"

namespace heddle {

/// The attention of the greedy run averaged over the problems: "all" first, then the classes that
/// have problems, "0 carries", "1 carry", "2 carries", … Axes carry places instead of tokens: a2 a1
/// a0 + b2 b1 b0 in the encoder, BOS s3 s2 s1 s0 in the decoder (the digit counts powers of ten; s
/// is the sum; least first: BOS s0 s1 …; without BOS what is read starts with a digit). Memory does
/// not grow with the number of problems but for their tokens.
std::vector<AttentionPicture> average_pictures(const Member& member,
                                               std::span<const Problem> problems, Team& team);

/// Instructive inputs, always the same. Three digits: 374+814 (a carry out of the top alone),
/// 123+425 (no carry), 127+358 (one carry), 347+258 (it passes one column of 9), 456+544 (all the
/// way up), 999+001 (the same from one side), 450+549 (all columns 9, nothing to carry). Other
/// numbers of digits alike, column by column; those that would be equal stand once.
std::vector<Problem> example_problems(int digits);

}  // namespace heddle
