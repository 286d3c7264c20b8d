// The study as long tables for spreadsheets and data frames, and under the reports' own names.
#pragma once

#include <vector>

#include "heddle/record/addition_study.hpp"
#include "heddle/record/sortedness_study.hpp"
#include "heddle/record/sweep.hpp"
#include "heddle/report/document/csv.hpp"

namespace heddle::report {

/// tables/*.csv: a header, then one row per value; a number that is none is left empty.
std::vector<FileText> tables(const AdditionStudy& study);
std::vector<FileText> tables(const SortednessStudy& study);
std::vector<FileText> tables(const SweepStudy& study);

/// training_log.json, head_analysis/ablation_results.json and head_specialization.json.
std::vector<FileText> exports(const AdditionStudy& study);
/// training_log.json, extrapolation_results.json.
std::vector<FileText> exports(const SortednessStudy& study);
/// Nothing.
inline std::vector<FileText> exports(const SweepStudy&) {
  return {};
}

}  // namespace heddle::report
