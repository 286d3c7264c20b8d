// heddle audit: what is wrong with a run that its accuracy does not say.
#include "heddle/lens/audit/audit.hpp"

#include "heddle/cli/commands.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/cli/text/example_text.hpp"
#include "heddle/cli/text/keep.hpp"
#include "heddle/record/json.hpp"
#include "heddle/record/tree.hpp"

namespace heddle::cli {
namespace {

std::string mark_of(const AuditCheck& check) {
  if (check.verdict == AuditCheck::kPass) return "✓ pass";
  if (check.verdict == AuditCheck::kFail) return "✗ FAIL";
  if (check.verdict == AuditCheck::kNote) return "! note";
  return check.verdict == AuditCheck::kCouldNotTell ? "? could not tell" : "– not applicable";
}

/// What is behind a verdict that somebody has to read.
std::string details(const AuditCheck& check) {
  std::string text = fmt::format("\n{}  {}\n", mark_of(check), check.name);
  text += fmt::format("  {}\n", check.finding);
  for (const AuditEvidence& each : check.evidence)
    text += fmt::format("    {}: {}\n", each.name, each.value);
  if (!check.meaning.empty()) text += fmt::format("  means: {}\n", check.meaning);
  if (!check.advice.empty()) text += fmt::format("  do: {}\n", check.advice);
  return text;
}

std::string audit_text(const Audit& audit) {
  Table table("lll");
  table.add({"verdict", "check", "finding"});
  for (const AuditCheck& check : audit.checks)
    table.add({mark_of(check), check.name, check.finding});
  std::string text = table.text();
  for (const AuditCheck& check : audit.checks)
    if (check.verdict == AuditCheck::kFail || check.verdict == AuditCheck::kNote)
      text += details(check);
  return text + fmt::format("\n{} passed, {} failed, {} notes, {} could not tell\n",
                            audit.count(AuditCheck::kPass), audit.count(AuditCheck::kFail),
                            audit.count(AuditCheck::kNote), audit.count(AuditCheck::kCouldNotTell));
}

int run_audit(const Arguments& arguments, Console& console) {
  const std::string& run = run_folder(arguments);
  AuditOptions options;
  if (const auto claim = arguments.value("--claimed")) options.claim = parse_claim(*claim);
  const Member member = load_member(run, "model.safetensors", Finite::as_they_are);  // a check
  label_defect(member.config, console);
  options.reading = reading_progress(console);
  options.progress = [&](std::string_view) { stop_if_interrupted(); };
  Team team(thread_count(arguments));
  const Audit audit = audit_run(run, member, options, team);
  console.erase();
  keep_beside(run, origin_of(member), kKeptAudit, audit, console);
  const bool failed = audit.count(AuditCheck::kFail) > 0;
  if (!arguments.json()) {
    console.result(audit_text(audit));
    return failed ? 1 : 0;
  }
  Json json{{"task", field_text(member.config.task.name)},
            {"run", run},
            {"defect", member.config.defect_note()},
            {"failed", audit.count(AuditCheck::kFail)}};
  json.update(to_tree(audit));
  console.result(json_line(json));
  return failed ? 1 : 0;
}

}  // namespace

Command audit_command() {
  return {.name = "audit",
          .summary = "Looks for what an accuracy hides: defects of data, training and decoding.",
          .positionals = {{.name = "RUN", .help = "the folder that train wrote"}},
          .flags = {{.name = "--claimed",
                     .value = "X",
                     .help = "an accuracy that was reported (0.412 or 41.2%): can it be a count of "
                             "the test's questions?"}},
          .examples = {"audit run", "audit run --claimed 99.853515625% --json"},
          .run = run_audit};
}

}  // namespace heddle::cli
