// See csv_examples.hpp.
#include "heddle/task/file/csv_examples.hpp"

#include <utility>

#include "heddle/task/file/example_limits.hpp"
#include "heddle/task/file/text_tokens.hpp"

namespace heddle {
namespace {}  // namespace

CsvExamples::CsvExamples(LineReader lines, char separator) : records_(std::move(lines), separator) {
  check<FileError>(records_.next(cells_), "{} is empty; its first line should name the columns: {}",
                   quote_path(records_.path()), "input and output, or input and label");
  columns_ = cells_.size();
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const std::string_view name = trimmed(cells_[i]);
    std::size_t* place = place_of(name);
    if (place == nullptr)
      refuse_line(records_.path(), records_.line(),
                  "unknown column {}; the first line names the columns, accepted are {}",
                  quote(name, kShown), kPartNames);
    if (*place != kNone)
      refuse_line(records_.path(), records_.line(), "the column {} comes twice", quote(name));
    *place = i;
  }
  check_columns();
}

std::size_t* CsvExamples::place_of(std::string_view column) {
  if (column == "input") return &input_;
  if (column == "output") return &output_;
  if (column == "label") return &label_;
  return column == "split" ? &split_ : nullptr;
}

void CsvExamples::check_columns() const {
  const auto refuse = [&](std::string_view why) {
    refuse_line(records_.path(), records_.line(), "{}", why);
  };
  if (input_ == kNone) refuse("no column 'input'");
  if (output_ == kNone && label_ == kNone) refuse("no column 'output' and none 'label'");
  if (output_ != kNone && label_ != kNone)
    refuse("both a column 'output' and a column 'label'; examples have one of them");
}

bool CsvExamples::next(ExampleRecord& record) {
  if (!records_.next(cells_)) return false;
  if (cells_.size() != columns_)
    refuse_line(records_.path(), records_.line(), "{} cell{} where the header has {}{}",
                cells_.size(), cells_.size() == 1 ? "" : "s", columns_,
                cells_.size() > columns_ ? "; a cell with a separator needs quotes" : "");
  record.line = records_.line();
  record.form = label_ == kNone ? ExampleForm::pairs : ExampleForm::labels;
  record.has_split = split_ != kNone;
  record.input.text = cells_[input_];
  if (output_ != kNone) record.output.text = cells_[output_];
  if (label_ != kNone) record.label = cells_[label_];
  if (split_ != kNone) record.split = cells_[split_];
  return true;
}

}  // namespace heddle
