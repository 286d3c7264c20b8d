// A small table that the user brings: comma- or tab-separated text whose first line names columns.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/tensor/view.hpp"

namespace heddle {

/// Rows of the columns that were asked for; a column that the file lacks is empty in every row.
struct ColumnFile {
  std::string path;
  std::vector<std::string> columns;  ///< those that the file has, of those that were asked for
  struct Row {
    Index line = 0;                  ///< where it stands in the file
    std::vector<std::string> cells;  ///< in the order in which columns were asked for
  };
  std::vector<Row> rows;

  bool has(std::string_view column) const;
};

/// Columns that must be there, and others that may be.
struct WantedColumns {
  std::vector<std::string> needed, allowed;
};

/// Cells are parted by tabs (.tsv) or commas, or as the header shows (CsvRecords::header); they
/// have no white space at either end. Names of columns may have large letters. FileError with the
/// line for a missing, unknown or repeated column, a row with other cells than columns, an empty
/// cell in a needed column, or no rows.
ColumnFile read_columns(const std::string& path, const WantedColumns& wanted);

}  // namespace heddle
