// See csv_records.hpp.
#include "heddle/task/file/csv_records.hpp"

#include <algorithm>
#include <utility>

#include "heddle/task/file/example_limits.hpp"

namespace heddle {
namespace {

constexpr std::string_view kReturnInside =
    "a carriage return inside the line; lines end with LF or CRLF";

}  // namespace

CsvRecords::CsvRecords(LineReader lines, char separator)
    : lines_(std::move(lines)), separator_(separator) {}

bool CsvRecords::next(std::vector<std::string_view>& cells) {
  std::string_view line;
  cells.clear();
  if (!lines_.next_filled(line)) return false;
  first_line_ = lines_.number();
  if (line.find('"') == std::string_view::npos) {
    cut_plain(line, cells);
  } else {
    line_ = line;
    cut_quoted(cells);
  }
  return true;
}

void CsvRecords::cut_plain(std::string_view line, std::vector<std::string_view>& cells) {
  if (line.find('\r') != std::string_view::npos)
    refuse_line(path(), first_line_, "{}", kReturnInside);
  for (;;) {
    const std::size_t end = line.find(separator_);
    cells.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return;
    line.remove_prefix(end + 1);
  }
}

void CsvRecords::cut_quoted(std::vector<std::string_view>& cells) {
  text_.clear();
  ends_.clear();
  for (std::size_t at = 0;; ++at) {  // past the separator
    at = at < line_.size() && line_[at] == '"' ? take_quoted(at + 1) : take_plain(at);
    ends_.push_back(text_.size());
    if (at == line_.size()) break;
  }
  std::size_t start = 0;
  for (const std::size_t end : ends_) {
    cells.push_back(std::string_view(text_).substr(start, end - start));
    start = end;
  }
}

/// Takes a cell without quotes; gives where it ends.
std::size_t CsvRecords::take_plain(std::size_t at) {
  const std::size_t end = std::min(line_.find(separator_, at), line_.size());
  const std::string_view cell = std::string_view(line_).substr(at, end - at);
  if (cell.find('"') != std::string_view::npos)
    refuse_line(path(), first_line_,
                "a quote inside the unquoted cell {}; put the cell in quotes and double the quote",
                quote(cell, kShown));
  if (cell.find('\r') != std::string_view::npos)
    refuse_line(path(), first_line_, "{}", kReturnInside);
  text_ += cell;
  return end;
}

/// Takes a cell whose first quote is behind; gives where it ends, behind the last quote.
std::size_t CsvRecords::take_quoted(std::size_t at) {
  for (;;) {
    const std::size_t end = line_.find('"', at);
    text_.append(line_, at, end - at);
    if (end == std::string::npos) {
      next_line_in_quotes();
      at = 0;
    } else if (line_.compare(end, 2, "\"\"") == 0) {
      text_ += '"';
      at = end + 2;
    } else if (end + 1 == line_.size() || line_[end + 1] == separator_) {
      return end + 1;
    } else {
      refuse_line(path(), first_line_, "text after a closing quote: {}",
                  quote(std::string_view(line_).substr(end + 1), kShown));
    }
  }
}

void CsvRecords::next_line_in_quotes() {
  std::string_view line;
  if (!lines_.next(line)) refuse_line(path(), first_line_, "a quote is opened and never closed");
  if (text_.size() + 1 + line.size() > ExampleLimits::kLineBytes)
    refuse_line(path(), first_line_, "a quote is opened and not closed within {} bytes",
                format_count(ExampleLimits::kLineBytes));
  text_ += '\n';
  line_ = line;
}

}  // namespace heddle
