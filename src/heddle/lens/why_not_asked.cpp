// See why_not_asked.hpp.
#include "heddle/lens/why_not_asked.hpp"

#include <algorithm>

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"

namespace heddle {

namespace {

std::string nothing_held_out(const Config& config) {
  return fmt::format("{} holds nothing out to ask",
                     config.task.from_file() ? quote_path(config.task.path) : "the task");
}

}  // namespace

std::string why_not_asked(const Config& config, std::int64_t held_out) {
  if (config.task.from_file() && !file_exists(config.task.path))
    return fmt::format("{} is not there", quote_path(config.task.path));
  return held_out > 0 ? "" : nothing_held_out(config);
}

void explain_missing(const Config& config, RunRecord& record) {
  std::int64_t held_out = 1;  // of a run without a log nothing else is known
  for (const RunSplit& split : record.splits)
    if (split.split != "train") held_out = std::min(held_out, split.count);
  if (held_out > 0) return;
  for (MissingPart& part : record.missing) {
    part.why = nothing_held_out(config);
    part.command.clear();
  }
}

}  // namespace heddle
