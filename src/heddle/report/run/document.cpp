// See document.hpp.
#include "heddle/report/run/document.hpp"

#include <algorithm>

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/record/sizes.hpp"
#include "heddle/report/document/glossary.hpp"

namespace heddle::report {

Document document_of(const RunSource& source) {
  Document document;
  document.title = "What a run learned, and which heads it needs";
  document.sections = {
      run_answer_section(source),  run_data_section(source),      run_training_section(source),
      run_score_section(source),   run_attention_section(source), run_ablation_section(source),
      run_pruning_section(source), run_roles_section(source),     run_patching_section(source),
      run_probing_section(source), run_audit_section(source),     run_settings_section(source)};
  document.sections.push_back(glossary_section());
  std::erase_if(document.sections, [](const Section& section) { return section.blocks.empty(); });
  return document;
}

WrittenReport write_report(const RunRecord& run, const std::string& folder,
                           const ReportProgress& progress) {
  const RunSource source(run);
  const Document document = document_of(source);
  std::vector<FileText> files = tables(run);
  files.push_back({.path = "results.json", .text = to_tree(run).dump(1) + "\n"});
  return write_document(document, std::move(files), folder, progress);
}

RunRecord read_run_results(const std::string& folder) {
  const std::string path = folder + "/results.json";
  check<FileError>(file_exists(path), "{} has no results.json: heddle report makes it",
                   quote_path(folder));
  const Json tree = Json::try_parse(read_file(path));
  check<FileError>(!tree.is_discarded(), "{} is cut off or no JSON", quote_path(path));
  check<FileError>(tree.is_object() && tree.value("study", "") == "run",
                   "{} is not the results of a run", quote_path(path));
  check<FileError>(tree.contains("schema") && tree["schema"] == Json(RunRecord::kSchema),
                   "{} has schema {}; this version reads {}", quote_path(path),
                   tree.contains("schema") ? tree["schema"].dump() : "none", RunRecord::kSchema);
  try {
    const auto run = from_tree<RunRecord>(tree);
    check_sizes(run);
    return run;
  } catch (const Error& error) {
    throw FileError(
        fmt::format("{} is not the results of a run: {}", quote_path(path), error.what()));
  }
}

}  // namespace heddle::report
