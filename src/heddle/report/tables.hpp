// The study as long tables for spreadsheets and data frames, and under the reports' own names.
#pragma once

#include <string>
#include <vector>

#include "heddle/record/addition_study.hpp"

namespace heddle::report {

/// A file of a report: its path from the study's folder, and its bytes.
struct FileText {
  std::string path, text;
};

/// tables/*.csv: a header, then one row per value; a number that is none is left empty.
std::vector<FileText> tables(const AdditionStudy& study);

/// training_log.json, head_analysis/ablation_results.json and head_specialization.json.
std::vector<FileText> exports(const AdditionStudy& study);

}  // namespace heddle::report
