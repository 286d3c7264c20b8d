// Numbers and lists of a record that must agree: what is drawn goes by the numbers, and a file may
// say anything.
#pragma once

#include "heddle/record/addition_study.hpp"
#include "heddle/record/run_record.hpp"
#include "heddle/record/sortedness_study.hpp"
#include "heddle/record/sweep.hpp"

namespace heddle {

/// Error, one line with the place: weights that are not heads by queries by keys, values that are
/// not rows by columns, curves whose lists differ, cells without a value for each axis.
void check_sizes(const AdditionStudy& study);
void check_sizes(const SortednessStudy& study);
void check_sizes(const SweepStudy& study);
void check_sizes(const RunRecord& run);
void check_sizes(const RunPictures& kept);

}  // namespace heddle
