// The columns of an addition: what stands at a position of its question or of its answer.
#pragma once

#include <string>
#include <vector>

#include "heddle/model/member.hpp"

namespace heddle {

/// Digits of an operand.
int digits_of(const TaskShape& shape);

/// What stands at a position, columns counted from the units: "a2", "+", "b0" of the question;
/// "BOS", "s3" of what is read while it is answered.
std::string position_name(const TaskShape& shape, Stream stream, Index position);
/// All of them.
std::vector<std::string> position_names(const TaskShape& shape, Stream stream);

/// The columns whose digit above is said at all: without a BOS the first digit is not.
std::vector<Index> patchable_columns(const TaskShape& shape);
/// The position at which the digit of a column is said; −1: at none.
Index position_of_column(const TaskShape& shape, Index column);

}  // namespace heddle
