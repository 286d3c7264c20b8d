// heddle conclude: judges and draws a study whose members are all there, whoever made them.
#include "heddle/cli/commands.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/cli/shared_study.hpp"
#include "heddle/cli/text/study_view.hpp"
#include "heddle/study/open.hpp"
#include "heddle/study/run_members.hpp"

namespace heddle::cli {
namespace {

int run_conclude(const Arguments& arguments, Console& console) {
  const std::string& folder = study_folder(arguments);
  const Study study = open_study(folder);
  StudyView view(console);
  const StudyOutcome outcome =
      conclude_study(study, folder, thread_count(arguments), view.observer());
  console.erase();
  if (outcome == StudyOutcome::stopped) {
    console.warn("stopped. To go on: {}", arguments.line());
    return kStopped;
  }
  draw_study(study.kind, folder, arguments, console);
  return 0;
}

}  // namespace

Command conclude_command() {
  return {.name = "conclude",
          .summary = "Judges a planned study when all its members are made, and draws its report.",
          .positionals = {{.name = "STUDY", .help = "the folder that study or train --plan wrote"}},
          .flags = {},
          .examples = {"conclude shared"},
          .run = run_conclude};
}

}  // namespace heddle::cli
