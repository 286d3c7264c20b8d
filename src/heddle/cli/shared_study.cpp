// See shared_study.hpp.
#include "heddle/cli/shared_study.hpp"

#include <algorithm>

#include "heddle/base/fields.hpp"
#include "heddle/base/json.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/cli/sweep.hpp"
#include "heddle/cli/text/study_view.hpp"
#include "heddle/report/document/write.hpp"
#include "heddle/study/plan_file.hpp"
#include "heddle/study/run_members.hpp"

namespace heddle::cli {
namespace {

std::string plan_line(const Study& study, const std::string& folder) {
  const std::vector<std::string> missing = missing_members(study, folder);
  Json members = Json::array();
  for (const StudyMember& member : study.members)
    members.push_back({{"name", member.name},
                       {"run", fmt::format("{}/{}", folder, member.folder())},
                       {"done", std::ranges::find(missing, member.name) == missing.end()}});
  return json_line({{"study", folder}, {"kind", field_text(study.kind)}, {"members", members}});
}

template <class Record>
std::size_t write_report_of(const Record& record, const std::string& folder, Console& console) {
  const report::WrittenReport written = report::write_report(record, folder);
  if (!written.note.empty()) console.note("{}", written.note);
  return record.members.size();
}

}  // namespace

const Flag kPlanFlag{.name = "--plan",
                     .value = "",
                     .help = "only write the list of members, for heddle member to make them"};

void plan_only(const Study& study, const std::string& folder, const Arguments& arguments,
               Console& console) {
  write_plan(study, folder);
  console.note("make each with: {0} member {1} NAME; then: {0} conclude {1}", arguments.program(),
               shell_quoted(folder));
  if (arguments.json()) {
    console.result(plan_line(study, folder));
    return;
  }
  std::string names;
  for (const StudyMember& member : study.members) names += member.name + "\n";
  console.result(names);
}

bool make_and_conclude(const Study& study, const std::string& folder, const Arguments& arguments,
                       Console& console) {
  const int threads = thread_count(arguments);
  StudyView view(console);
  const StudyObserver observer = view.observer();
  write_plan(study, folder, observer);
  StudyOutcome outcome = run_members(study, folder, {.threads = threads}, observer);
  if (outcome == StudyOutcome::finished) outcome = conclude_study(study, folder, threads, observer);
  console.erase();
  if (outcome == StudyOutcome::finished) return true;
  console.warn("stopped; what is finished is kept. To go on: {}", arguments.line());
  return false;
}

const std::string& study_folder(const Arguments& arguments) {
  const std::string& folder = arguments.positional(0);
  check<UsageError>(!folder.empty(), "STUDY is empty: give the folder that --plan wrote");
  return folder;
}

void draw_study(StudyKind kind, const std::string& folder, const Arguments& arguments,
                Console& console) {
  if (kind == StudyKind::sweep) return draw_sweep(folder, arguments, console);
  console.note("drawing the report of {}", field_text(kind));
  const std::size_t members =
      kind == StudyKind::addition
          ? write_report_of(report::read_study(folder), folder, console)
          : write_report_of(report::read_sortedness(folder), folder, console);
  if (arguments.json()) {
    console.result(json_line({{"study", folder},
                              {"kind", field_text(kind)},
                              {"outcome", "finished"},
                              {"members", members},
                              {"report", folder + "/index.html"}}));
  } else {
    console.result(
        fmt::format("report: {0}/index.html (also {0}/report.md, {0}/results.json)\n", folder));
  }
}

}  // namespace heddle::cli
