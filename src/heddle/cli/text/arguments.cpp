// See arguments.hpp.
#include "heddle/cli/text/arguments.hpp"

#include <algorithm>
#include <array>

#include "heddle/base/fields.hpp"
#include "heddle/base/text.hpp"

namespace heddle::cli {
namespace {

constexpr std::array kGlobalFlags{
    Flag{.name = "--threads",
         .value = "N",
         .help = "threads to use (all cores); results do not depend on it"},
    Flag{.name = "--isa",
         .value = "LEVEL",
         .help = "instruction set to use (the fastest of this machine)"},
    Flag{.name = "--json", .value = "", .help = "print the result as one JSON object"},
    Flag{.name = "--quiet", .value = "", .help = "print the result and warnings, nothing else"},
    Flag{.name = "--help", .value = "", .help = "print this help"},
};

bool is_flag(std::string_view word) {
  return word.size() > 1 && word.front() == '-' && word != "--";
}

}  // namespace

std::span<const Flag> global_flags() {
  return kGlobalFlags;
}

Arguments::Arguments(const Command& command, std::string program,
                     std::span<const std::string> words)
    : command_(&command), program_(std::move(program)), words_(words.begin(), words.end()) {
  bool only_positionals = false;  // after "--"
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!only_positionals && words[i] == "--") {
      only_positionals = true;
    } else if (!only_positionals && is_flag(words[i])) {
      i = take_flag(words, i);
    } else {
      positionals_.push_back(words[i]);
    }
  }
  if (!help()) require_all();
  positionals_.resize(std::max(positionals_.size(), command.positionals.size()));
}

/// Reads the flag at words[i] with its values; returns the place of its last word.
std::size_t Arguments::take_flag(std::span<const std::string> words, std::size_t i) {
  const std::string& word = words[i];
  const std::size_t equals = word.find('=');
  const Flag& flag = known_flag(word.substr(0, equals));
  check<UsageError>(flag.repeats || !has(flag.name), "{} is given twice", flag.name);
  auto& values = values_[std::string(flag.name)];
  if (flag.value.empty()) {
    check<UsageError>(equals == std::string::npos, "{} takes no value", flag.name);
    return i;
  }
  if (equals != std::string::npos) {
    values.push_back(word.substr(equals + 1));
  } else {
    const bool there = i + 1 < words.size() && !words[i + 1].starts_with("--");
    check<UsageError>(there || has("--help"), "{} needs a value: {} {}", flag.name, flag.name,
                      flag.value);
    if (!there) return i;
    values.push_back(words[++i]);
  }
  while (flag.settings && i + 1 < words.size() && !words[i + 1].starts_with("--") &&
         words[i + 1].find('=') != std::string::npos)
    values.push_back(words[++i]);
  return i;
}

const Flag& Arguments::known_flag(const std::string& word) const {
  std::vector<std::string> names;
  for (const std::span<const Flag> flags : {std::span<const Flag>(command_->flags), global_flags()})
    for (const Flag& flag : flags) {
      if (flag.name == word || (word == "-h" && flag.name == "--help")) return flag;
      names.emplace_back(flag.name);
    }
  const std::string near = did_you_mean(word, names);
  throw UsageError(fmt::format(
      "{} has no flag {}{}", command_->name, quote(word),
      near.empty() ? fmt::format("; see {} {} --help", program_, command_->name) : near));
}

void Arguments::require_all() const {
  const auto& wanted = command_->positionals;
  check<UsageError>(positionals_.size() <= wanted.size(), "{} does not know what to do with {}",
                    command_->name,
                    quote(positionals_.size() > wanted.size() ? positionals_[wanted.size()] : ""));
  for (std::size_t i = positionals_.size(); i < wanted.size(); ++i)
    check<UsageError>(wanted[i].optional, "{} needs {}: {} (see {} {} --help)", command_->name,
                      wanted[i].name, wanted[i].help, program_, command_->name);
  for (const Flag& flag : command_->flags)
    check<UsageError>(!flag.required || has(flag.name), "{} needs {} {}: {}", command_->name,
                      flag.name, flag.value, flag.help);
}

std::optional<std::string> Arguments::value(std::string_view flag) const {
  const auto found = values_.find(flag);
  if (found == values_.end() || found->second.empty()) return std::nullopt;
  return found->second.front();
}

const std::string& Arguments::required(std::string_view flag) const {
  const auto found = values_.find(flag);
  check<UsageError>(found != values_.end() && !found->second.empty(), "{} needs {}", command_->name,
                    flag);
  return found->second.front();
}

std::vector<std::string> Arguments::values(std::string_view flag) const {
  const auto found = values_.find(flag);
  return found == values_.end() ? std::vector<std::string>{} : found->second;
}

std::optional<std::int64_t> Arguments::number(std::string_view flag, std::int64_t least,
                                              std::int64_t most) const {
  const auto text = value(flag);
  if (!text) return std::nullopt;
  const auto number = parse_int(*text);
  check<UsageError>(number && *number >= least && *number <= most,
                    "{} {}: accepted is a whole number from {} to {}", flag, quote(*text), least,
                    most);
  return number;
}

std::string Arguments::line() const {
  std::string line = fmt::format("{} {}", shell_quoted(program_), command_->name);
  for (const std::string& word : words_) line.append(" ").append(shell_quoted(word));
  return line;
}

}  // namespace heddle::cli
