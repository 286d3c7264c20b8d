// See column_file.hpp.
#include "heddle/lens/probe/column_file.hpp"

#include <algorithm>

#include "heddle/base/index.hpp"
#include "heddle/task/file/csv_columns.hpp"
#include "heddle/task/file/csv_records.hpp"
#include "heddle/task/file/text_tokens.hpp"

namespace heddle {
namespace {

constexpr std::size_t kShown = 40;  // bytes of what is wrong

std::vector<std::string> all_of(const WantedColumns& wanted) {
  std::vector<std::string> names = wanted.needed;
  names.insert(names.end(), wanted.allowed.begin(), wanted.allowed.end());
  return names;
}

/// For each column of the file its place among those wanted.
std::vector<std::size_t> places_of(const CsvRecords& records,
                                   std::span<const std::string_view> header,
                                   const WantedColumns& wanted) {
  const std::vector<std::string> names = all_of(wanted);
  std::vector<std::size_t> places;
  for (const std::string_view cell : header) {
    const auto found = std::ranges::find_if(
        names, [&](const std::string& name) { return same_column(name, cell); });
    const auto place = to_size(found - names.begin());
    if (found == names.end())
      refuse_line(records.path(), records.line(),
                  "unknown column {}; the first line names the columns, accepted are {}",
                  quote(trimmed(cell), kShown), join(names, ", "));
    if (std::ranges::count(places, place) > 0)
      refuse_line(records.path(), records.line(), "the column {} comes twice", quote(*found));
    places.push_back(place);
  }
  for (std::size_t i = 0; i < wanted.needed.size(); ++i)
    if (std::ranges::count(places, i) == 0)
      refuse_line(records.path(), records.line(),
                  "no column '{}'; the first line names the columns", names[i]);
  return places;
}

}  // namespace

bool ColumnFile::has(std::string_view column) const {
  return std::ranges::find(columns, column) != columns.end();
}

ColumnFile read_columns(const std::string& path, const WantedColumns& wanted) {
  CsvRecords records(LineReader(open_source(path)), path.ends_with(".tsv") ? '\t' : ',');
  std::vector<std::string_view> cells;
  const std::vector<std::string> names = all_of(wanted);
  check<FileError>(records.header(cells), "{} is empty; its first line should name the columns: {}",
                   quote_path(path), join(names, ", "));
  const std::vector<std::size_t> places = places_of(records, cells, wanted);
  ColumnFile file{.path = path, .columns = {}, .rows = {}};
  for (const std::size_t place : places) file.columns.push_back(names[place]);
  while (records.next(cells)) {
    if (cells.size() != places.size())
      refuse_line(path, records.line(), "{} cell{} where the header has {}{}", cells.size(),
                  cells.size() == 1 ? "" : "s", places.size(),
                  cells.size() > places.size() ? "; a cell with a separator needs quotes" : "");
    ColumnFile::Row row{.line = records.line(), .cells = std::vector<std::string>(names.size())};
    for (std::size_t i = 0; i < cells.size(); ++i) row.cells[places[i]] = trimmed(cells[i]);
    for (std::size_t i = 0; i < wanted.needed.size(); ++i)
      if (row.cells[i].empty())
        refuse_line(path, row.line, "the cell of column '{}' is empty", names[i]);
    file.rows.push_back(std::move(row));
  }
  check<FileError>(!file.rows.empty(), "{} has no rows below its header", quote_path(path));
  return file;
}

}  // namespace heddle
