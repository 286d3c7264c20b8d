// See commands.hpp.
#include "heddle/cli/commands.hpp"

#include "heddle/base/fields.hpp"
#include "heddle/base/text.hpp"

namespace heddle::cli {

const std::vector<Command>& commands() {
  static const std::vector<Command> kCommands{
      study_command(),  member_command(), conclude_command(),   train_command(),
      eval_command(),   ask_command(),    audit_command(),      attend_command(),
      ablate_command(), prune_command(),  specialise_command(), patch_command(),
      probe_command(),  taps_command(),   capture_command(),    import_command(),
      report_command(), config_command(), bench_command()};
  return kCommands;
}

const Command& find_command(const std::string& name) {
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    if (command.name == name) return command;
    names.emplace_back(command.name);
  }
  const std::string near = did_you_mean(name, names);
  throw UsageError(fmt::format("there is no command {}{}", quote(name),
                               near.empty() ? ": accepted is " + join(names, ", ") : near));
}

std::string overview(std::string_view program) {
  std::string text = "Heddle, a laboratory for attention.\n\n";
  for (const Command& command : commands())
    text += fmt::format("  {} {:<11}{}\n", program, command.name, command.summary);
  text += fmt::format(
      "\n  {0} COMMAND --help   words, flags and an example\n"
      "  {0} --version        the version\n"
      "\nStart here\n"
      "  {0} study                          train, take apart, report\n"
      "  {0} train addition --out run       one member\n"
      "  {0} eval run --census\n",
      program);
  return text;
}

}  // namespace heddle::cli
