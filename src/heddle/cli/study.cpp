// heddle study: train, look, report, in one command that can be stopped and called again.
#include "heddle/base/text.hpp"
#include "heddle/cli/commands.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/cli/shared_study.hpp"
#include "heddle/config/load.hpp"
#include "heddle/config/presets.hpp"
#include "heddle/report/document/write.hpp"
#include "heddle/study/addition/addition.hpp"
#include "heddle/study/sortedness/sortedness.hpp"

namespace heddle::cli {
namespace {

constexpr std::string_view kScalePrefix = "study.";

StudyPreset asked_preset(const Arguments& arguments) {
  return parse_kind<StudyPreset>("--preset", arguments.value("--preset").value_or("quick"));
}

/// Preset, scale and settings, from the flags.
template <class Scale>
StudyPlan<Scale> asked_plan(const Arguments& arguments, StudyKind kind, const Config& start) {
  StudyPlan<Scale> plan{.preset = asked_preset(arguments), .tuned = start, .command = {}};
  plan.scale = Scale::of(plan.preset);
  if (const auto seeds = arguments.number("--seeds", 1, 100000)) plan.scale.seeds = *seeds;
  for (const std::string& setting : arguments.values("--set")) {
    const std::size_t equals = setting.find('=');
    if (setting.starts_with(kScalePrefix) && equals != std::string::npos) {
      set_scale(plan.scale,
                std::string_view(setting).substr(kScalePrefix.size(), equals - kScalePrefix.size()),
                std::string_view(setting).substr(equals + 1));
    } else {
      set(plan.tuned, setting);
    }
  }
  plan.command = fmt::format("heddle study {} --preset {} --seeds {}", field_text(kind),
                             field_text(plan.preset), plan.scale.seeds);
  for (const std::string& setting : arguments.values("--set")) plan.command += " --set " + setting;
  return plan;
}

Study asked_study(const Arguments& arguments, StudyKind kind) {
  if (kind == StudyKind::addition)
    return addition_study(asked_plan<AdditionScale>(arguments, kind, Config{}));
  return sortedness_study(
      asked_plan<SortednessScale>(arguments, kind, preset_of_task("default", "sortedness")));
}

/// One study with its report; false if it was stopped.
bool run_one(const Arguments& arguments, StudyKind kind, const std::string& folder,
             Console& console) {
  if (!make_and_conclude(asked_study(arguments, kind), folder, arguments, console)) return false;
  draw_study(kind, folder, arguments, console);
  return true;
}

int run_study(const Arguments& arguments, Console& console) {
  const std::string what = arguments.positional(0).empty() ? "all" : arguments.positional(0);
  check<UsageError>(what == "addition" || what == "sortedness" || what == "all",
                    "there is no study {}: accepted is addition, sortedness or all", quote(what));
  check<UsageError>(what != "all" || arguments.values("--set").empty(),
                    "--set changes one study: name it, addition or sortedness");
  check<UsageError>(what != "all" || !arguments.has(kPlanFlag.name),
                    "--plan lists the members of one study: name it, addition or sortedness");
  const std::string out = arguments.value("--out").value_or("study");
  if (what == "all") {
    for (const StudyKind kind : {StudyKind::addition, StudyKind::sortedness})
      if (!run_one(arguments, kind, fmt::format("{}/{}", out, field_text(kind)), console))
        return kStopped;
    report::write_overview(out);
    console.result(fmt::format("overview: {}/index.html\n", out));
  } else {
    const StudyKind kind = what == "addition" ? StudyKind::addition : StudyKind::sortedness;
    if (arguments.has(kPlanFlag.name)) {
      plan_only(asked_study(arguments, kind), out, arguments, console);
      return 0;
    }
    if (!run_one(arguments, kind, out, console)) return kStopped;
  }
  const StudyPreset preset = asked_preset(arguments);
  if (preset != StudyPreset::full)
    console.note(
        "more seeds, narrower intervals: {} study {} --preset {} --out OTHER", arguments.program(),
        what, field_text(preset == StudyPreset::quick ? StudyPreset::standard : StudyPreset::full));
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
                    kPlanFlag,
                    {.name = "--out", .value = "DIR", .help = "the folder for everything (study)"}},
          .examples = {"study", "study addition", "study sortedness --preset standard --out big",
                       "study addition --plan --out shared"},
          .run = run_study};
}

}  // namespace heddle::cli
