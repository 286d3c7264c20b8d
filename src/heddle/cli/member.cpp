// heddle member: one member of a planned study, trained and examined; any number of processes may
// do so at once.
#include "heddle/base/json.hpp"
#include "heddle/cli/commands.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/cli/shared_study.hpp"
#include "heddle/cli/text/study_view.hpp"
#include "heddle/study/open.hpp"
#include "heddle/study/plan_file.hpp"
#include "heddle/study/run_members.hpp"

namespace heddle::cli {
namespace {

int run_member(const Arguments& arguments, Console& console) {
  const std::string& folder = study_folder(arguments);
  const Study study = open_study(folder);
  const std::size_t index = find_member(study, arguments.positional(1));
  const StudyMember& member = study.members[index];
  StudyView view(console);
  const StudyOutcome outcome = run_members(
      study, folder, {.threads = thread_count(arguments), .only = index}, view.observer());
  console.erase();
  const bool stopped = outcome == StudyOutcome::stopped;
  if (stopped) console.warn("stopped; what is finished is kept. To go on: {}", arguments.line());
  const std::string run = fmt::format("{}/{}", folder, member.folder());
  if (arguments.json()) {
    console.result(json_line({{"study", folder},
                              {"member", member.name},
                              {"run", run},
                              {"outcome", stopped ? "stopped" : "finished"}}));
  } else if (!stopped) {
    console.result(fmt::format("{}: done, in {}\n", member.name, run));
  }
  return stopped ? kStopped : 0;
}

}  // namespace

Command member_command() {
  return {.name = "member",
          .summary = "Makes one member of a planned study; several may be made at once.",
          .positionals = {{.name = "STUDY", .help = "the folder that study or train --plan wrote"},
                          {.name = "NAME", .help = "a member, as --plan lists it"}},
          .flags = {},
          .examples = {"study addition --plan --out shared", "member shared tuned-1",
                       "conclude shared"},
          .run = run_member};
}

}  // namespace heddle::cli
