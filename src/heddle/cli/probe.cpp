// heddle probe: where each carry bit can be read off by a linear probe, beside its controls.
#include "heddle/lens/probe.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "heddle/base/text.hpp"
#include "heddle/cli/commands.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/record/json.hpp"
#include "heddle/record/tree.hpp"

namespace heddle::cli {
namespace {

constexpr std::int64_t kMostProblems = 1'000'000;
constexpr std::size_t kTop = 8;  // rows of a table, for each target

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.3f}", value) : "–";
}

/// The places where this bit is read off best.
std::vector<ProbeResult> best(const Probing& probing, const std::string& target) {
  std::vector<ProbeResult> found;
  std::ranges::copy_if(probing.probes, std::back_inserter(found),
                       [&](const ProbeResult& probe) { return probe.target == target; });
  std::ranges::stable_sort(found, std::greater{}, &ProbeResult::accuracy);
  found.resize(std::min(found.size(), kTop));
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
      table.add({probe.tap, probe.token, number(probe.accuracy),
                 fmt::format("{} to {}", number(probe.low), number(probe.high)),
                 number(probe.control), number(probe.untrained), number(probe.held_out)});
    text += fmt::format("\n{}\n{}", target, table.text());
  }
  return text;
}

int run_probe(const Arguments& arguments, Console& console) {
  constexpr Index kProblems = 2000;
  const std::string& run = run_folder(arguments);
  const Index count = arguments.number("--problems", 2, kMostProblems).value_or(kProblems);
  const Member member = load_member(run);
  label_defect(member.config, console);
  Team team(thread_count(arguments));
  const ProbeProblems problems = draw_probe_problems(member.config, count, count);
  const Probing probing = probe_member(member, problems, {}, team, [&](Index done, Index total) {
    stop_if_interrupted();
    if (console.due())
      console.bar(static_cast<double>(done) / static_cast<double>(total),
                  fmt::format("probing, {} of {} places", done, total));
  });
  console.erase();
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
  return {.name = "probe",
          .summary = "Reads each carry bit off the activations with linear probes.",
          .positionals = {{.name = "RUN", .help = "the folder that train wrote"}},
          .flags = {{.name = "--problems",
                     .value = "N",
                     .help = "problems to fit, and as many to score; 2,000 if not given"}},
          .examples = {"probe run", "probe run --problems 5000 --json"},
          .run = run_probe};
}

}  // namespace heddle::cli
