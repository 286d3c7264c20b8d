// heddle study: train, look, report, in one command that can be stopped and called again.
#include "heddle/base/text.hpp"
#include "heddle/cli/commands.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/cli/text/study_view.hpp"
#include "heddle/config/load.hpp"
#include "heddle/report/document/write.hpp"
#include "heddle/study/addition/addition.hpp"
#include "heddle/study/sortedness/sortedness.hpp"

namespace heddle::cli {
namespace {

constexpr std::string_view kOwn = "study.";

/// Preset, scale and settings of a study's plan, from the flags.
template <class Plan>
void read_flags(const Arguments& arguments, std::string_view study, Plan& plan) {
  if (const auto seeds = arguments.number("--seeds", 1, 100000)) plan.scale.seeds = *seeds;
  for (const std::string& setting : arguments.values("--set")) {
    const std::size_t equals = setting.find('=');
    if (setting.starts_with(kOwn) && equals != std::string::npos) {
      set_scale(plan.scale, std::string_view(setting).substr(kOwn.size(), equals - kOwn.size()),
                std::string_view(setting).substr(equals + 1));
    } else {
      set(plan.tuned, setting);
    }
  }
  validate(plan.tuned);
  plan.threads = thread_count(arguments);
  plan.command =
      fmt::format("heddle study {} --preset {} --seeds {}", study, plan.preset, plan.scale.seeds);
  for (const std::string& setting : arguments.values("--set")) plan.command += " --set " + setting;
}

std::string preset_of(const Arguments& arguments) {
  return arguments.value("--preset").value_or("quick");
}

StudyOutcome study_addition(const Arguments& arguments, const std::string& folder,
                            Console& console) {
  StudyPlan plan;
  plan.preset = preset_of(arguments);
  plan.scale = study_scale(plan.preset);
  read_flags(arguments, "addition", plan);
  StudyView view(console);
  return run_addition_study(plan, folder, view.observer());
}

StudyOutcome study_sortedness(const Arguments& arguments, const std::string& folder,
                              Console& console) {
  SortPlan plan;
  plan.preset = preset_of(arguments);
  plan.scale = sort_scale(plan.preset);
  plan.tuned = default_config(TaskKind::sortedness);
  read_flags(arguments, "sortedness", plan);
  StudyView view(console);
  return run_sortedness_study(plan, folder, view.observer());
}

report::Written write_study_report(const std::string& folder) {
  if (report::is_sortedness(folder))
    return report::write_report(report::read_sortedness(folder), folder);
  return report::write_report(report::read_study(folder), folder);
}

/// One study with its report; false if it was stopped.
bool run_one(const Arguments& arguments, const std::string& study, const std::string& folder,
             Console& console) {
  const StudyOutcome outcome = study == "addition" ? study_addition(arguments, folder, console)
                                                   : study_sortedness(arguments, folder, console);
  console.erase();
  if (outcome == StudyOutcome::stopped) {
    console.warn("stopped; what is finished is kept. To go on: {}", arguments.line());
    return false;
  }
  console.note("drawing the report of {}", study);
  const report::Written written = write_study_report(folder);
  if (!written.note.empty()) console.note("{}", written.note);
  console.result(
      fmt::format("report: {0}/index.html (also {0}/report.md, {0}/results.json)\n", folder));
  return true;
}

int run_study(const Arguments& arguments, Console& console) {
  const std::string what = arguments.positional(0).empty() ? "all" : arguments.positional(0);
  check<UsageError>(what == "addition" || what == "sortedness" || what == "all",
                    "there is no study {}: accepted is addition, sortedness or all", quote(what));
  check<UsageError>(what != "all" || arguments.values("--set").empty(),
                    "--set changes one study: name it, addition or sortedness");
  const std::string out = arguments.value("--out").value_or("study");
  if (what == "all") {
    for (const char* study : {"addition", "sortedness"})
      if (!run_one(arguments, study, fmt::format("{}/{}", out, study), console)) return kStopped;
    report::write_overview(out);
    console.result(fmt::format("overview: {}/index.html\n", out));
  } else if (!run_one(arguments, what, out, console)) {
    return kStopped;
  }
  const std::string preset = preset_of(arguments);
  if (preset != "full")
    console.note("more seeds, narrower intervals: {} study {} --preset {} --out OTHER",
                 arguments.program(), what, preset == "quick" ? "standard" : "full");
  return 0;
}

}  // namespace

Command study_command() {
  return {.name = "study",
          .summary = "Trains a population, takes it apart and writes the report.",
          .positionals = {{.name = "STUDY",
                           .help = "addition, sortedness, or all (in DIR/addition and "
                                   "DIR/sortedness)",
                           .optional = true}},
          .flags = {{.name = "--preset",
                     .value = "P",
                     .help = "quick (under 5 minutes a study on 2 cores), standard or full"},
                    {.name = "--seeds", .value = "N", .help = "members of the tuned recipe"},
                    kSetFlag,
                    {.name = "--out", .value = "DIR", .help = "the folder for everything (study)"}},
          .examples = {"study", "study addition", "study sortedness --preset standard --out big"},
          .run = run_study};
}

}  // namespace heddle::cli
