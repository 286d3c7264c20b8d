// The program: finds the command, runs it, and turns whatever goes wrong into a line and a number.
#include <csignal>
#include <cstdlib>
#include <new>

#include <unistd.h>

#include "heddle/base/file.hpp"
#include "heddle/base/file/faults.hpp"
#include "heddle/base/interrupt.hpp"
#include "heddle/base/parallel.hpp"
#include "heddle/base/text.hpp"
#include "heddle/base/version.hpp"
#include "heddle/cli/commands.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/cli/text/console.hpp"
#include "heddle/kernels/isa.hpp"

namespace heddle::cli {
namespace {

enum ExitCode : std::uint8_t { success = 0, failed = 1, typed_wrongly = 2, stopped = 130 };

/// Once at most: a machine that has no thread to spare is no reason to stop.
void tell_missing_threads(int asked, int started) {
  Console().warn("heddle: {} of {} threads could be started here; the results are the same",
                 started, asked);
}

/// What a reader is told whose Ctrl-C is not obeyed at once.
const char* words_of_a_slow_stop() {
  // On a terminal a bar may stand in the line.
  return ::isatty(STDERR_FILENO) == 1
             ? "\r\x1b[Kheddle: stopping, what is under way comes to its end; Ctrl-C again ends at "
               "once\n"
             : "heddle: stopping, what is under way comes to its end; Ctrl-C again ends at once\n";
}

/// The name in help texts: without the folders in front, unless it is the script in this folder.
std::string short_name(const std::string& program) {
  return program == "./heddle" ? program : program.substr(program.rfind('/') + 1);
}

int run_command(const std::string& program, const std::string& name,
                std::span<const std::string> words, Console& console) {
  const Command& command = find_command(name);
  const Arguments arguments(command, program, words);
  if (arguments.help()) {
    console.result(help_text(command, short_name(program)));
    return success;
  }
  console.set_quiet(arguments.has("--quiet"));
  (void)thread_count(arguments);  // wrong flags are told before any work
  if (const auto level = arguments.value("--isa")) kernels::pin_isa(*level);
  return command.run(arguments, console);
}

int run_words(const std::string& program, std::span<const std::string> words, Console& console) {
  if (words.empty()) {
    console.warn("{}", overview(short_name(program)));
    return typed_wrongly;
  }
  const std::string& first = words.front();
  if (first == "--version") {
    console.result(fmt::format("heddle {}\n", kVersion));
    return success;
  }
  if (first == "--help" || first == "-h" || first == "help") {
    console.result(words.size() > 1 ? help_text(find_command(words[1]), short_name(program))
                                    : overview(short_name(program)));
    return success;
  }
  check<UsageError>(!first.starts_with('-'), "the command comes first, not {}; see {} --help",
                    quote(first), program);
  return run_command(program, first, words.subspan(1), console);
}

int guarded(const std::string& program, std::span<const std::string> words) {
  Console console;
  const auto fail = [&](std::string_view message, int code) {
    console.warn("heddle: {}", message);
    return code;
  };
  try {
    if (const char* faults = std::getenv("HEDDLE_FAULTS")) arm_file_faults(faults);
    return run_words(program, words, console);
  } catch (const OutputClosed&) {
    return success;
  } catch (const Interrupted& error) {
    return fail(error.what(), stopped);
  } catch (const UsageError& error) {
    return fail(error.what(), typed_wrongly);
  } catch (const TapError& error) {
    return fail(error.what(), typed_wrongly);
  } catch (const std::bad_alloc&) {
    return fail("there is not enough memory for this", failed);
  } catch (const std::exception& error) {
    return fail(error.what(), failed);
  }
}

}  // namespace
}  // namespace heddle::cli

int main(int count, char** texts) {
  heddle::hold_standard_streams();
  (void)std::signal(SIGPIPE, SIG_IGN);  // a failed write says so itself
  heddle::ignore_file_size_signal();
  heddle::install_interrupt_handler(heddle::cli::words_of_a_slow_stop());
  heddle::on_missing_threads(heddle::cli::tell_missing_threads);
  const std::string program = count > 0 ? texts[0] : "heddle";
  const std::vector<std::string> words(texts + (count > 0 ? 1 : 0), texts + count);
  return heddle::cli::guarded(program, words);
}
