// See csv_examples.hpp.
#include "heddle/task/file/csv_examples.hpp"

#include <utility>

namespace heddle {

CsvExamples::CsvExamples(LineReader lines, char usual_separator, const std::string& wanted)
    : records_(std::move(lines), usual_separator) {
  check<FileError>(records_.header(cells_),
                   "{} is empty; its first line should name the columns: {}",
                   quote_path(records_.path()), "input and output, or input and label");
  count_ = cells_.size();
  try {
    columns_ = find_columns(cells_, wanted);
  } catch (const FileError& error) {
    refuse_line(records_.path(), records_.line(), "{}", error.what());
  }
  note_ = columns_note(cells_, columns_, records_.separator(), usual_separator);
}

bool CsvExamples::next(ExampleRecord& record) {
  if (!records_.next(cells_)) return false;
  if (cells_.size() != count_)
    refuse_line(records_.path(), records_.line(), "{} cell{} where the header has {}{}",
                cells_.size(), cells_.size() == 1 ? "" : "s", count_,
                cells_.size() > count_ ? "; a cell with a separator needs quotes" : "");
  record.line = records_.line();
  record.form = columns_.has(ExamplePart::label) ? ExampleForm::labels : ExampleForm::pairs;
  record.has_split = columns_.has(ExamplePart::split);
  record.input.text = cells_[columns_[ExamplePart::input]];
  if (columns_.has(ExamplePart::output)) record.output.text = cells_[columns_[ExamplePart::output]];
  if (columns_.has(ExamplePart::label)) record.label = cells_[columns_[ExamplePart::label]];
  if (record.has_split) record.split = cells_[columns_[ExamplePart::split]];
  return true;
}

}  // namespace heddle
