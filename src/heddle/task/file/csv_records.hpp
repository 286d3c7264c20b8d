// Records of comma-separated text as RFC 4180 has them: quotes, doubled quotes, quoted line breaks.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/task/file/text_lines.hpp"

namespace heddle {

class CsvRecords {
 public:
  CsvRecords(LineReader lines, char separator);

  /// The cells of the next record, valid until the next call; false after the last. A line break
  /// inside quotes is a line feed, whatever the file has. FileError for quotes that do not pair.
  bool next(std::vector<std::string_view>& cells);

  /// Where the record given last begins.
  Index line() const { return first_line_; }
  const std::string& path() const { return lines_.path(); }

 private:
  void cut_plain(std::string_view line, std::vector<std::string_view>& cells);
  void cut_quoted(std::vector<std::string_view>& cells);
  std::size_t take_plain(std::size_t at);
  std::size_t take_quoted(std::size_t at);
  void next_line_in_quotes();

  LineReader lines_;
  char separator_;
  Index first_line_ = 0;
  // For records with quotes:
  std::string line_;
  std::string text_;               // all cells, one behind the other
  std::vector<std::size_t> ends_;  // where each ends in text_
};

}  // namespace heddle
