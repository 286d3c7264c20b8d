// The report on one run, section by section.
#pragma once

#include <string>
#include <vector>

#include "heddle/record/run_record.hpp"
#include "heddle/report/document/csv.hpp"
#include "heddle/report/document/document.hpp"
#include "heddle/report/document/write.hpp"

namespace heddle::report {

using RunSource = StudySource<RunRecord>;

/// `source` must live as long as the document.
Document document_of(const RunSource& source);

// Its sections, in order; empty where the run has nothing for them.
Section run_answer_section(const RunSource& source);
Section run_data_section(const RunSource& source);
Section run_training_section(const RunSource& source);
Section run_score_section(const RunSource& source);
Section run_attention_section(const RunSource& source);
Section run_ablation_section(const RunSource& source);
Section run_pruning_section(const RunSource& source);
Section run_roles_section(const RunSource& source);
Section run_patching_section(const RunSource& source);
Section run_probing_section(const RunSource& source);
Section run_audit_section(const RunSource& source);
Section run_settings_section(const RunSource& source);

// Figures that only runs have; each a whole SVG file, or nothing where there is no data.
std::string run_learning_curves(const RunRecord& run);
/// Accuracy against length; a line per group that is told by length.
std::string run_by_length(const RunRecord& run);
/// Every other group, bar by bar.
std::string run_by_class(const RunSource& source);

/// tables/*.csv.
std::vector<FileText> tables(const RunRecord& run);

/// Writes results.json and the report into the run's folder, each file whole or not at all.
WrittenReport write_report(const RunRecord& run, const std::string& folder,
                           const ReportProgress& progress = {});
/// Reads FOLDER/results.json of a run back; FileError in one line for what is none.
RunRecord read_run_results(const std::string& folder);

}  // namespace heddle::report
