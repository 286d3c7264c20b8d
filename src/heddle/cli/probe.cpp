// heddle probe: where each carry bit, or a label of the user's, can be read off by a linear probe,
// beside its controls.
#include <algorithm>
#include <cmath>
#include <functional>

#include "heddle/base/decimal.hpp"
#include "heddle/base/text.hpp"
#include "heddle/cli/commands.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/cli/text/example_text.hpp"
#include "heddle/cli/text/keep.hpp"
#include "heddle/cli/text/progress_view.hpp"
#include "heddle/lens/addition/carry_probes.hpp"
#include "heddle/lens/open_task.hpp"
#include "heddle/lens/probe/labels.hpp"
#include "heddle/record/json.hpp"
#include "heddle/record/tree.hpp"

namespace heddle::cli {
namespace {

constexpr std::int64_t kMostProbeProblems = 1'000'000;
constexpr std::size_t kTopProbes = 8;  // rows of a table, for each target
constexpr std::size_t kTopLabels = 16;

std::string accuracy_text(double value) {
  return format_fixed(value, 3);
}

/// The places where this bit is read off best.
std::vector<ProbeResult> best(const Probing& probing, const std::string& target) {
  std::vector<ProbeResult> found;
  std::ranges::copy_if(probing.probes, std::back_inserter(found),
                       [&](const ProbeResult& probe) { return probe.target == target; });
  std::ranges::stable_sort(found, std::greater{}, &ProbeResult::accuracy);
  found.resize(std::min(found.size(), kTopProbes));
  return found;
}

std::string probing_text(const Probing& probing) {
  std::string text = fmt::format(
      "{} problems to fit, {} to score; as many with the bit as without, so chance is 0.500.\n"
      "Control: the mean over [a + b ≥ k], k ≠ 10; untrained: the same bit in an untrained model;\n"
      "held out: on digit pairs that the probe never saw.\n",
      format_count(probing.trained_on), format_count(probing.tested_on));
  std::vector<std::string> targets;
  for (const ProbeResult& probe : probing.probes)
    if (std::ranges::count(targets, probe.target) == 0) targets.push_back(probe.target);
  for (const std::string& target : targets) {
    Table table("llrrrrr");
    table.add({"place", "at", "accuracy", "95 %", "control", "untrained", "held out"});
    for (const ProbeResult& probe : best(probing, target))
      table.add({probe.tap, probe.token, accuracy_text(probe.accuracy),
                 fmt::format("{} to {}", accuracy_text(probe.low), accuracy_text(probe.high)),
                 accuracy_text(probe.control), accuracy_text(probe.untrained),
                 accuracy_text(probe.held_out)});
    text += fmt::format("\n{}\n{}", target, table.text());
  }
  return text;
}

std::string labels_text(const LabelProbing& probing) {
  std::vector<LabelProbe> best = probing.probes;
  std::ranges::stable_sort(best, std::greater{}, &LabelProbe::accuracy);
  best.resize(std::min(best.size(), kTopLabels));
  Table table("llrrr");
  table.add({"place", "at", "accuracy", "95 %", "shuffled"});
  for (const LabelProbe& probe : best) {
    const std::string at = probe.position < 0 ? "mean"
                           : probe.token.empty()
                               ? std::to_string(probe.position)
                               : fmt::format("{} {}", probe.position, probe.token);
    table.add({probe.tap, at, accuracy_text(probe.accuracy),
               fmt::format("{} to {}", accuracy_text(probe.low), accuracy_text(probe.high)),
               accuracy_text(probe.shuffled)});
  }
  return fmt::format(
             "{} inputs, {} labels, each input scored by a probe that was fitted without it ({} "
             "folds).\nAccuracy: balanced, so chance is {:.3f}; always the commonest label is "
             "right for {:.3f}.\nShuffled: the same probe for labels in a random order.\n\n",
             format_count(probing.inputs), probing.labels.size(), probing.folds, probing.chance,
             best.empty() ? 0 : best[0].majority) +
         table.text();
}

template <class Progress>
int probe_file(const Arguments& arguments, const Member& member, const std::string& path,
               const Progress& progress, Console& console) {
  const std::string& run = run_folder(arguments);
  const LabelledInputs labelled = read_labels(path);
  const auto task = open_task(run, member.config, true, reading_progress(console));
  Team team(thread_count(arguments));
  const LabelProbing probing = probe_labels(member, *task, labelled, team, progress);
  console.erase();
  keep_beside(run, origin_of(member), kKeptLabels, probing, console);
  if (!arguments.json()) {
    console.result(labels_text(probing));
    return 0;
  }
  Json json{{"task", field_text(member.config.task.name)},
            {"run", run},
            {"defect", member.config.defect_note()}};
  json.update(to_tree(probing));
  console.result(json_line(json));
  return 0;
}

int run_probe(const Arguments& arguments, Console& console) {
  constexpr Index kProblems = 2000;
  const std::string& run = run_folder(arguments);
  const Index count = arguments.number("--problems", 2, kMostProbeProblems).value_or(kProblems);
  const auto labels = arguments.value("--labels");
  const Member member = load_member(run);
  check<UsageError>(labels || member.model->shape().counts_digits(),
                    "probe needs --labels FILE for {}: CSV with the columns input,label (and "
                    "answer), a line such as '3 1 4,odd'",
                    field_text(member.config.task.name));
  check<UsageError>(!labels || !arguments.has("--problems"),
                    "--problems: with --labels the file says which");
  label_defect(member.config, console);
  ProgressView view(console, "probing", "places");
  const auto progress = std::ref(view);
  if (labels) return probe_file(arguments, member, *labels, progress, console);
  Team team(thread_count(arguments));
  const ProbeProblems problems = draw_probe_problems(member.config, count, count);
  const Probing probing = probe_member(member, problems, {}, team, progress);
  console.erase();
  keep_beside(run, origin_of(member), kKeptProbing, probing, console);
  if (!arguments.json()) {
    console.result(probing_text(probing));
    return 0;
  }
  Json json{{"task", "addition"}, {"run", run}, {"defect", member.config.defect_note()}};
  json.update(to_tree(probing));
  console.result(json_line(json));
  return 0;
}

}  // namespace

Command probe_command() {
  return {
      .name = "probe",
      .summary = "Reads carry bits, or labels of yours, off the activations with linear probes.",
      .positionals = {{.name = "RUN", .help = "the folder that train wrote"}},
      .flags = {{.name = "--problems",
                 .value = "N",
                 .help = "addition: problems to fit, and as many to score; 2,000 if not given"},
                {.name = "--labels",
                 .value = "FILE",
                 .help = "any task: a CSV of your own with the columns input,label (and answer)"}},
      .examples = {"probe run", "probe run --problems 5000 --json",
                   "probe words --labels labels.csv"},
      .run = run_probe};
}

}  // namespace heddle::cli
