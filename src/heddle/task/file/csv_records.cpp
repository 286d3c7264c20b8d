// See csv_records.hpp.
#include "heddle/task/file/csv_records.hpp"

#include <algorithm>
#include <utility>

#include "heddle/task/file/example_limits.hpp"

namespace heddle {
namespace {

constexpr std::string_view kReturnInside =
    "a carriage return inside the line; lines end with LF or CRLF";

/// How often a character stands in a line, outside quotes.
std::ptrdiff_t count_outside_quotes(std::string_view line, char wanted) {
  bool inside = false;
  return std::ranges::count_if(line, [&](char c) {
    if (c == '"') inside = !inside;
    return c == wanted && !inside;
  });
}

char separator_of(std::string_view header, char usual) {
  char best = usual;
  for (const char other : {',', ';', '\t'})
    if (count_outside_quotes(header, other) > count_outside_quotes(header, best)) best = other;
  return best;
}

}  // namespace

CsvRecords::CsvRecords(LineReader lines, char usual)
    : lines_(std::move(lines)), separator_(usual) {}

bool CsvRecords::header(std::vector<std::string_view>& cells) {
  std::string_view line;
  cells.clear();
  if (!next_line(line)) return false;
  separator_ = separator_of(line, separator_);
  cut(line, cells);
  return true;
}

bool CsvRecords::next(std::vector<std::string_view>& cells) {
  std::string_view line;
  cells.clear();
  if (!next_line(line)) return false;
  cut(line, cells);
  return true;
}

bool CsvRecords::next_line(std::string_view& line) {
  if (!lines_.next_filled(line)) return false;
  first_line_ = lines_.number();
  return true;
}

void CsvRecords::cut(std::string_view line, std::vector<std::string_view>& cells) {
  if (line.find('"') == std::string_view::npos) {
    cut_plain(line, cells);
  } else {
    line_ = line;
    cut_quoted(cells);
  }
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
