// Makes an ExampleSet out of the records of a file, one by one.
#pragma once

#include <string>
#include <string_view>

#include "heddle/task/file/example_record.hpp"
#include "heddle/task/file/example_set.hpp"

namespace heddle {

class ExampleBuilder {
 public:
  ExampleBuilder(std::string path, ExampleOptions options);

  /// FileError with the record's line where it is empty, too long or holds what no token may hold.
  void add(const ExampleRecord& record);
  /// What the examples so far take, with what choosing those held out will.
  std::uint64_t bytes() const;
  /// Ids in their order, splits chosen. FileError where nothing could be learnt from the file.
  ExampleSet finish();

 private:
  void add_sequence(const RecordSequence& sequence, std::string_view name);
  void add_token(std::string_view token, std::string_view name, std::size_t start);
  void add_label(std::string_view text);
  void check_new_token(std::string_view token) const;
  void sort_lexicons();
  template <class... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> message, Args&&... args) const {
    refuse_line(path_, line_, message, std::forward<Args>(args)...);
  }

  std::string path_;
  ExampleOptions options_;
  ExampleSet set_;
  Index line_ = 0;     // of the record at hand
  std::string label_;  // its label with single spaces
};

}  // namespace heddle
