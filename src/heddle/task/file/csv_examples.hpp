// Examples from text with a separator (comma, semicolon or tab) whose first line names the columns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heddle/task/file/csv_columns.hpp"
#include "heddle/task/file/csv_records.hpp"
#include "heddle/task/file/example_record.hpp"

namespace heddle {

class CsvExamples : public RecordReader {
 public:
  /// Reads the header; `wanted` as find_columns() takes it. FileError where a column is missing,
  /// unknown or there twice.
  CsvExamples(LineReader lines, char usual_separator, const std::string& wanted);
  bool next(ExampleRecord& record) override;
  std::string note() const override { return note_; }

 private:
  CsvRecords records_;
  std::vector<std::string_view> cells_;
  std::size_t count_ = 0;  // of columns
  CsvColumns columns_;
  std::string note_;
};

}  // namespace heddle
