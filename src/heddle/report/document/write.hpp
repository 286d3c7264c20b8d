// The whole report of a study as files.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "heddle/record/addition_study.hpp"
#include "heddle/record/sortedness_study.hpp"
#include "heddle/record/sweep.hpp"
#include "heddle/report/document/document.hpp"
#include "heddle/report/document/tables.hpp"

namespace heddle::report {

/// Every file of the report but results.json and PNG pictures; the same bytes for the same study.
std::vector<FileText> report_files(const AdditionStudy& study);
std::vector<FileText> report_files(const SortednessStudy& study);
std::vector<FileText> report_files(const SweepStudy& study);

/// Called before each file: how many are done, of how many, and its path in the folder.
using ReportProgress =
    std::function<void(std::size_t done, std::size_t total, const std::string& path)>;

struct WrittenReport {
  std::vector<std::string> files;  ///< paths in the folder, in the order of writing
  std::string note;                ///< what is missing and why; usually empty
};

/// Writes the report into the study's folder, each file whole or not at all, and a PNG beside each
/// figure where rsvg-convert is installed; one whose figure did not change stays.
WrittenReport write_report(const AdditionStudy& study, const std::string& folder,
                           const ReportProgress& progress = {});
WrittenReport write_report(const SortednessStudy& study, const std::string& folder,
                           const ReportProgress& progress = {});
WrittenReport write_report(const SweepStudy& study, const std::string& folder,
                           const ReportProgress& progress = {});

/// Reads FOLDER/results.json; FileError in one line for what is missing, cut off or not a study.
AdditionStudy read_study(const std::string& folder);
SortednessStudy read_sortedness(const std::string& folder);
SweepStudy read_sweep(const std::string& folder);
/// Whether FOLDER/results.json says that it is one of sortedness, or a sweep; false where it cannot
/// be read.
bool is_sortedness(const std::string& folder);
bool is_sweep(const std::string& folder);

/// Any document with its figures, and these other files, in the same way.
WrittenReport write_document(const Document& document, std::vector<FileText> files,
                             const std::string& folder, const ReportProgress& progress = {});

/// FOLDER/index.html for the studies in FOLDER/addition and FOLDER/sortedness, those that are
/// there: the opening answer of each, and the way to its report.
void write_overview(const std::string& folder);

}  // namespace heddle::report
