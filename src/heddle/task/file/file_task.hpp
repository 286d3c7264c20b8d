// The task that a user's file brings.
#pragma once

#include "heddle/task/file/example_set.hpp"
#include "heddle/task/task.hpp"

namespace heddle {

/// Reads the file of a new training: what it is made of goes into the configuration. FileError for
/// whatever is wrong with it.
void read_shape(Config& config, const ReadProgress& progress = {});

TaskShape file_shape(const TaskConfig& task);

/// The words of a run, kept beside its weights, so that it can be asked without its file.
inline constexpr const char* kLexiconFile = "lexicon.json";
/// Where the task's file lay when `file` was written; empty in older ones.
std::string path_in_lexicon(const std::string& lexicon_json, const std::string& file);

class FileTask : public Task {
 public:
  /// FileError unless the file has what the configuration says.
  FileTask(const Config& config, const ReadProgress& progress);
  /// The words of a run alone: nothing to train on and nothing to ask.
  FileTask(const Config& config, const std::string& lexicon_json);

  void train_questions(Index step, Questions& out) const override;
  Index train_size() const override;
  std::string word(std::int32_t word) const override;
  std::string label(std::int32_t label) const override;
  std::string_view between_words() const override {
    return set_.token_kind == TokenKind::words ? " " : "";
  }
  std::optional<std::vector<std::int32_t>> right_answer(
      std::span<const std::int32_t> input) const override;
  std::vector<std::string> notes() const override;
  std::vector<std::pair<std::string, std::string>> files() const override;

 protected:
  std::vector<std::string> cut(std::string_view text) const override;
  std::int32_t find_word(const std::string& text) const override;
  std::int32_t find_label(const std::string& text) const override;

 private:
  void add(Index example, Questions& out) const;
  void add_all(Split split, Questions& out) const;

  ExampleSet set_;
  std::string path_;
};

}  // namespace heddle
