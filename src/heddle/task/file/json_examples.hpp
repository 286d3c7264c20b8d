// Examples from JSON lines: one object a line.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "heddle/task/file/example_record.hpp"
#include "heddle/task/file/text_lines.hpp"

namespace heddle {

/// The parts of one line's object, kept from line to line so that reading allocates little.
struct JsonParts {
  struct Sequence {
    bool there = false;
    bool listed = false;
    std::string text;
    std::vector<std::size_t> ends;
  };
  struct Word {
    bool there = false;
    std::string text;
  };
  Sequence input, output;
  Word label, split;
};

class JsonExamples : public RecordReader {
 public:
  explicit JsonExamples(LineReader lines);
  bool next(ExampleRecord& record) override;

 private:
  void check_keys(ExampleForm form);

  LineReader lines_;
  JsonParts parts_;
  bool begun_ = false;  // what the first object has, all have
  Index first_line_ = 0;
  ExampleForm form_ = ExampleForm::pairs;
  bool has_split_ = false;
};

}  // namespace heddle
