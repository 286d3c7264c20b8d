// heddle study: train, look, report, in one command that can be stopped and called again.
#include <chrono>

#include "heddle/base/interrupt.hpp"
#include "heddle/base/text.hpp"
#include "heddle/cli/commands.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/config/load.hpp"
#include "heddle/report/write.hpp"
#include "heddle/study/addition.hpp"

namespace heddle::cli {
namespace {

constexpr int kStopped = 130;

/// The bar, with the time that is left by the pace so far.
class StudyView {
 public:
  explicit StudyView(Console& console) : console_(console) {}

  StudyObserver observer() {
    return {.progress = [this](double share, const std::string& what) { progress(share, what); },
            .note = [this](const std::string& line) { console_.note("{}", line); },
            .stop = [] { return interrupted(); }};
  }

 private:
  using Clock = std::chrono::steady_clock;

  void progress(double share, const std::string& what) {
    if (first_ < 0) first_ = share;  // what an earlier call has done took no time now
    if (!console_.due()) return;
    const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    const double pace = (share - first_) / std::max(seconds, 1e-3);
    console_.bar(share, pace > 0 ? fmt::format("{:.1f} %/min  {} left  {}", 6000 * pace,
                                               format_seconds((1 - share) / pace), what)
                                 : what);
  }

  Console& console_;
  Clock::time_point begin_ = Clock::now();
  double first_ = -1;
};

StudyPlan wanted(const Arguments& arguments) {
  StudyPlan plan;
  plan.preset = arguments.value("--preset").value_or("quick");
  plan.scale = study_scale(plan.preset);
  if (const auto seeds = arguments.number("--seeds", 1, 100000)) plan.scale.seeds = *seeds;
  constexpr std::string_view kOwn = "study.";
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
      fmt::format("heddle study addition --preset {} --seeds {}", plan.preset, plan.scale.seeds);
  for (const std::string& setting : arguments.values("--set")) plan.command += " --set " + setting;
  return plan;
}

int run_study(const Arguments& arguments, Console& console) {
  const std::string what = arguments.positional(0).empty() ? "all" : arguments.positional(0);
  check<UsageError>(what == "addition" || what == "all",
                    "there is no study {}: accepted is addition or all", quote(what));
  const StudyPlan plan = wanted(arguments);
  const std::string out = arguments.value("--out").value_or("study");
  const std::string folder = what == "all" ? out + "/addition" : out;
  StudyView view(console);
  const StudyOutcome outcome = run_addition_study(plan, folder, view.observer());
  console.erase();
  if (outcome == StudyOutcome::stopped) {
    console.warn("stopped; what is finished is kept. To go on: {}", arguments.line());
    return kStopped;
  }
  console.note("drawing the report");
  const report::Written written = report::write_report(report::read_study(folder), folder);
  if (!written.note.empty()) console.note("{}", written.note);
  console.result(
      fmt::format("report: {0}/index.html (also {0}/report.md, {0}/results.json)\n", folder));
  if (plan.preset != "full")
    console.note("more seeds, narrower intervals: {} study addition --preset {} --out OTHER",
                 arguments.program(), plan.preset == "quick" ? "standard" : "full");
  return 0;
}

}  // namespace

Command study_command() {
  return {.name = "study",
          .summary = "Trains a population, takes it apart and writes the report.",
          .positionals = {{.name = "STUDY",
                           .help = "addition, or all (in DIR/addition)",
                           .optional = true}},
          .flags = {{.name = "--preset",
                     .value = "P",
                     .help = "quick (2 members, under 5 minutes on 2 cores), standard or full"},
                    {.name = "--seeds", .value = "N", .help = "members of the tuned recipe"},
                    kSetFlag,
                    {.name = "--out", .value = "DIR", .help = "the folder for everything (study)"}},
          .examples = {"study addition", "study addition --preset standard --out big"},
          .run = run_study};
}

}  // namespace heddle::cli
