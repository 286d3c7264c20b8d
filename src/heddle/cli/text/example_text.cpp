// See example_text.hpp.
#include "heddle/cli/text/example_text.hpp"

namespace heddle::cli {

const Flag kAnswerFlag{.name = "--answer",
                       .value = "TEXT",
                       .help = "the right answer, where the task does not know it"};

ReadProgress reading_progress(Console& console) {
  return [&console](std::uint64_t done, std::uint64_t total) {
    stop_if_interrupted();
    constexpr double kMega = 1e6;
    if (console.due())
      console.bar(total == 0 ? 1 : static_cast<double>(done) / static_cast<double>(total),
                  fmt::format("reading {:.0f} of {:.0f} MB", static_cast<double>(done) / kMega,
                              static_cast<double>(total) / kMega));
  };
}

}  // namespace heddle::cli
