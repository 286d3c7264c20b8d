// The task of a run, opened for the lenses: questions with their answers, and their words.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/lens/forced_set.hpp"
#include "heddle/task/example_task.hpp"

namespace heddle {

/// Whatever task it is, a lens asks this of it.
class RunTask {
 public:
  RunTask() = default;
  virtual ~RunTask() = default;
  RunTask(const RunTask&) = delete;
  RunTask& operator=(const RunTask&) = delete;

  /// Questions that no training saw, at most so many, from number `first` on; the two sets share
  /// none.
  virtual ForcedSet test(Index first, Index most) const = 0;
  virtual ForcedSet validation(Index first, Index most) const = 0;
  /// How many validation has.
  virtual Index validation_size() const = 0;

  /// A question as the user types it, with its right answer; `answer` is what the user says it is,
  /// where the task cannot work it out. UsageError for what is no question of this task.
  virtual ForcedSet question(std::string_view text, std::string_view answer) const = 0;
  /// Whether the task works answers out by itself.
  virtual bool knows_answer(std::string_view text) const = 0;
  /// Several such questions in one set.
  virtual ForcedSet questions(const std::vector<std::string>& texts,
                              const std::vector<std::string>& answers) const = 0;
  /// Several questions whose right answers do not matter: where the task does not work them out,
  /// `said` (tokens, or the class) stands for the answer to each, or an empty one where it is none.
  virtual ForcedSet asked(const std::vector<std::string>& texts,
                          const std::vector<std::vector<std::int32_t>>& said) const = 0;

  /// A token of the encoder's or decoder's, as a reader writes it.
  virtual std::string token(std::int32_t token) const = 0;
  /// What was said (tokens, or the one class) as a whole answer.
  virtual std::string answer_text(std::span<const std::int32_t> said) const = 0;
};

/// Data that is missing or is not what the run was trained on: FileError. With `words_only` a task
/// from a file is opened by what the run keeps of it: questions can be asked, but there are no
/// sets.
std::unique_ptr<RunTask> open_task(const std::string& run, const Config& config,
                                   bool words_only = false, const ReadProgress& progress = {});

}  // namespace heddle
