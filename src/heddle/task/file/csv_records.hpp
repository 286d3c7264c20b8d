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
  /// `usual` parts the cells of a record unless the header says otherwise.
  CsvRecords(LineReader lines, char usual);

  /// The first record, which names the columns. Cells are parted by what its line has most often
  /// outside quotes, of comma, semicolon and tab; among equals by the usual one.
  bool header(std::vector<std::string_view>& cells);
  /// The cells of the next record, valid until the next call; false after the last. A line break
  /// inside quotes is a line feed, whatever the file has. FileError for quotes that do not pair.
  bool next(std::vector<std::string_view>& cells);

  /// Where the record given last begins.
  Index line() const { return first_line_; }
  const std::string& path() const { return lines_.path(); }
  char separator() const { return separator_; }

 private:
  bool next_line(std::string_view& line);
  void cut(std::string_view line, std::vector<std::string_view>& cells);
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
