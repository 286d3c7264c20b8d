// Other programs: started, and waited for. The only place that starts any.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace heddle {

/// The exit code of a program that could not be started.
inline constexpr int kNotStarted = 127;

/// Runs each call (a program found on the PATH and its words) with no input and its output thrown
/// away, a few at once; the exit code of each, kNotStarted, or 128 + the signal that ended it.
std::vector<int> run_programs(const std::vector<std::vector<std::string>>& calls);

/// This process among all of the machine, and whether another one is still there.
int process_number();
bool process_lives(int number);

/// A program that answers line by line: what is said goes to its standard input, what it says comes
/// from its standard output; its standard error is thrown away. It is ended with the conversation.
class ChildProgram {
 public:
  /// Starts the program (found on the PATH); FileError if it cannot be started.
  explicit ChildProgram(std::vector<std::string> words);
  ChildProgram(const ChildProgram&) = delete;
  ChildProgram& operator=(const ChildProgram&) = delete;
  ~ChildProgram();

  /// Says a line and waits for one. Nothing: the program has ended, or `seconds` have passed.
  std::optional<std::string> ask(const std::string& line, double seconds);

 private:
  std::optional<std::string> read_line(double seconds) const;

  pid_t child_ = -1;
  int to_ = -1, from_ = -1;
};

}  // namespace heddle
