// See made_with.hpp.
#include "heddle/model/made_with.hpp"

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/config/changed_setting.hpp"
#include "heddle/task/file/file_task.hpp"

namespace heddle {
namespace {

/// Where the task's file lay, if that is all that has changed.
std::optional<std::string> path_before(const std::string& run, const Config& config,
                                       const std::string& hash) {
  const std::string lexicon = run + "/" + kLexiconFile;
  if (!config.task.from_file() || !file_exists(lexicon)) return std::nullopt;
  Config before = config;
  before.task.path = path_in_lexicon(read_file(lexicon), lexicon);
  return config_hash(before) == hash ? std::optional(before.task.path) : std::nullopt;
}

/// "model.heads=2, and model.heads=4 fits".
std::string what_fits(const std::string& run, const Config& config, const std::string& hash) {
  if (const auto path = path_before(run, config, hash))
    return fmt::format("task.path={}, where no file is, and task.path={} fits",
                       quote_path(config.task.path), quote_path(*path));
  if (const auto changed = changed_setting(config, hash)) return *changed;
  return fmt::format("settings whose hash is {}, and {} fits", config_hash(config), quote(hash));
}

}  // namespace

bool made_with(const std::string& run, const Config& config, const std::string& hash) {
  return config_hash(config) == hash ||
         (path_before(run, config, hash) && file_exists(config.task.path));
}

void check_made_with(const std::string& run, const Config& config, const std::string& hash,
                     const std::string& file) {
  if (made_with(run, config, hash)) return;
  throw FileError(fmt::format("{} does not belong to {}: it says {}",
                              quote_path(run + "/config.json"), quote_path(file),
                              what_fits(run, config, hash)));
}

}  // namespace heddle
