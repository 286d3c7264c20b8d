// One example as a file gives it, before its tokens have ids.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "heddle/task/file/example_set.hpp"

namespace heddle {

/// A text to be cut into tokens; or, where it is `listed`, the tokens themselves.
struct RecordSequence {
  bool listed = false;
  std::string_view text;              ///< listed: the tokens one behind the other
  std::span<const std::size_t> ends;  ///< listed: where each token ends in `text`
};

/// Every record of a file has the same form, and a split or none.
struct ExampleRecord {
  Index line = 0;  ///< its first
  ExampleForm form = ExampleForm::pairs;
  bool has_split = false;
  RecordSequence input;
  RecordSequence output;   ///< of pairs
  std::string_view label;  ///< of labels
  std::string_view split;
};

class RecordReader {
 public:
  RecordReader() = default;
  RecordReader(const RecordReader&) = delete;
  RecordReader& operator=(const RecordReader&) = delete;
  virtual ~RecordReader() = default;

  /// The next record, valid until the next call; false after the last.
  virtual bool next(ExampleRecord& record) = 0;
  /// How the file is read, in words, where that does not go without saying.
  virtual std::string note() const { return ""; }
};

/// What all kinds of files call the parts of an example.
inline constexpr std::string_view kPartNames = "input, output, label, split";

}  // namespace heddle
