// The help of one command, made from its table.
#include "heddle/cli/common.hpp"

namespace heddle::cli {
namespace {

std::string usage(const Flag& flag) {
  std::string text(flag.name);
  if (!flag.value.empty()) text += fmt::format(" {}", flag.value);
  if (flag.settings) text += " …";
  return text;
}

std::string section(std::string_view title, const Table& table) {
  const std::string text = table.text();
  return text.empty() ? "" : fmt::format("\n{}\n{}", title, text);
}

std::string section(std::string_view title, std::span<const Flag> flags) {
  Table table;
  for (const Flag& flag : flags) table.add({usage(flag), std::string(flag.help)});
  return section(title, table);
}

}  // namespace

std::string help_text(const Command& command, std::string_view program) {
  std::string text = fmt::format("{}\n\n  {} {}", command.summary, program, command.name);
  Table words;
  for (const Positional& word : command.positionals) {
    text += word.optional ? fmt::format(" [{}]", word.name) : fmt::format(" {}", word.name);
    words.add({std::string(word.name), std::string(word.help)});
  }
  for (const Flag& flag : command.flags)
    text += flag.required ? fmt::format(" {}", usage(flag)) : fmt::format(" [{}]", usage(flag));
  text.append("\n").append(section("Words", words)).append(section("Flags", command.flags));
  text += section("Flags of every command", global_flags());
  text += command.examples.size() == 1 ? "\nExample\n" : "\nExamples\n";
  for (const std::string_view example : command.examples)
    text += fmt::format("  {} {}\n", program, example);
  return text;
}

}  // namespace heddle::cli
