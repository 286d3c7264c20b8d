// What was typed: each command declares its words in a table, which parses, helps and explains.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/config/shell_word.hpp"

namespace heddle::cli {

/// A word that is told by its place.
struct Positional {
  std::string_view name;  ///< as the help shows it: "RUN"
  std::string_view help;
  bool optional = false;
};

/// A word that starts with "--".
struct Flag {
  std::string_view name;   ///< "--out"
  std::string_view value;  ///< what it takes, as the help shows it; empty: nothing
  std::string_view help;
  bool required = false;
  bool repeats = false;   ///< may be given again
  bool settings = false;  ///< takes all words with a '=' that follow it
};

struct Command;

/// The words of one call, told apart.
class Arguments {
 public:
  /// Throws UsageError for a flag that the command does not have, a value that is missing, too few
  /// or too many words. Where --help is given, nothing else has to be right.
  Arguments(const Command& command, std::string program, std::span<const std::string> words);

  const Command& command() const { return *command_; }
  /// The i-th positional; empty if it is optional and was left out.
  const std::string& positional(std::size_t i) const { return positionals_[i]; }
  bool has(std::string_view flag) const { return values_.contains(flag); }
  /// The value of a flag that was given.
  std::optional<std::string> value(std::string_view flag) const;
  /// The value of a flag that the command requires.
  const std::string& required(std::string_view flag) const;
  /// All values of a flag that repeats, in order.
  std::vector<std::string> values(std::string_view flag) const;
  /// The value of a flag as a whole number from `least` to `most`; UsageError otherwise.
  std::optional<std::int64_t> number(std::string_view flag, std::int64_t least,
                                     std::int64_t most) const;

  bool json() const { return has("--json"); }
  bool help() const { return has("--help"); }
  /// How the program was called: "./heddle".
  const std::string& program() const { return program_; }
  /// The whole call as a shell would take it again.
  std::string line() const;

 private:
  const Flag& known_flag(const std::string& word) const;
  std::size_t take_flag(std::span<const std::string> words, std::size_t i);
  void require_all() const;

  const Command* command_;
  std::string program_;
  std::vector<std::string> words_;
  std::vector<std::string> positionals_;
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

class Console;

struct Command {
  std::string_view name;
  std::string_view summary;
  std::vector<Positional> positionals;
  std::vector<Flag> flags;                 ///< its own; the global ones come on top
  std::vector<std::string_view> examples;  ///< without the program's name
  int (*run)(const Arguments&, Console&) = nullptr;
};

/// The flags that every command has.
std::span<const Flag> global_flags();

/// "heddle train <task> [--preset P] … --out RUN", flags, examples.
std::string help_text(const Command& command, std::string_view program);

}  // namespace heddle::cli
