// Examples from comma- or tab-separated text whose first line names the columns.
#pragma once

#include <string_view>
#include <vector>

#include "heddle/base/index.hpp"
#include "heddle/task/file/csv_records.hpp"
#include "heddle/task/file/example_record.hpp"

namespace heddle {

class CsvExamples : public RecordReader {
 public:
  /// Reads the header. FileError where a column is missing, unknown or there twice.
  CsvExamples(LineReader lines, char separator);
  bool next(ExampleRecord& record) override;

 private:
  static constexpr std::size_t kNone = to_size(-1);

  std::size_t* place_of(std::string_view column);
  void check_columns() const;

  CsvRecords records_;
  std::vector<std::string_view> cells_;
  std::size_t columns_ = 0;
  // The place of each column, kNone where there is none:
  std::size_t input_ = kNone, output_ = kNone, label_ = kNone, split_ = kNone;
};

}  // namespace heddle
