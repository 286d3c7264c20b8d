// See open_task.hpp.
#include "heddle/lens/open_task.hpp"

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/record/training_log.hpp"
#include "heddle/task/file/file_task.hpp"

namespace heddle {
namespace {

/// The file must still hold what the run was trained on.
void check_data(const std::string& run, const Config& config, const Task& task) {
  const std::string path = run + "/training_log.json";
  if (!config.task.from_file() || !file_exists(path)) return;
  const std::string then = read_training_log(path).data_hash, now = task.data_hash();
  check<FileError>(then == now, "{} has changed since {} was trained (data hash {} against {})",
                   quote_path(config.task.path), quote_path(run), now, then);
}

}  // namespace

std::unique_ptr<Task> open_task(const std::string& run, const Config& config, bool words_only,
                                const ReadProgress& progress) {
  if (words_only && config.task.from_file() && !file_exists(config.task.path))
    return make_task(config, {.progress = {}, .lexicon = read_file(run + "/" + kLexiconFile)});
  auto task = make_task(config, {.progress = progress});
  check_data(run, config, *task);
  return task;
}

}  // namespace heddle
