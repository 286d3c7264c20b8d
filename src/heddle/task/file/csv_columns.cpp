// See csv_columns.hpp.
#include "heddle/task/file/csv_columns.hpp"

#include <algorithm>
#include <vector>

#include "heddle/base/check.hpp"
#include "heddle/base/text.hpp"
#include "heddle/task/file/example_limits.hpp"
#include "heddle/task/file/example_record.hpp"
#include "heddle/task/file/text_tokens.hpp"

namespace heddle {
namespace {

char small(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// The part that is called so; kParts where none is.
std::size_t part_called(std::string_view name) {
  const auto names = names_of(ExamplePart{});
  return to_size(
      std::ranges::find_if(names, [&](std::string_view part) { return same_column(part, name); }) -
      names.begin());
}

std::string quoted_names(std::span<const std::string_view> header) {
  std::vector<std::string> names;
  for (const std::string_view cell : header) names.push_back(quote(trimmed(cell), kShown));
  return join(names, ", ");
}

void check_parts(const CsvColumns& columns) {
  const bool output = columns.has(ExamplePart::output), label = columns.has(ExamplePart::label);
  check<FileError>(columns.has(ExamplePart::input), "no column 'input'");
  check<FileError>(output || label, "no column 'output' and none 'label'");
  check<FileError>(!output || !label,
                   "both a column 'output' and a column 'label'; examples have one of them");
}

CsvColumns columns_by_name(std::span<const std::string_view> header) {
  CsvColumns columns;
  for (std::size_t i = 0; i < header.size(); ++i) {
    const std::size_t part = part_called(header[i]);
    check<FileError>(part < kParts,
                     "unknown column {}; the first line names the columns, accepted are {}; "
                     "--columns INPUT,OUTPUT takes others",
                     quote(trimmed(header[i]), kShown), kPartNames);
    check<FileError>(columns.places[part] == CsvColumns::kNone, "the column {} comes twice",
                     quote(trimmed(header[i])));
    columns.places[part] = i;
  }
  check_parts(columns);
  return columns;
}

/// One of the columns that are wanted: its part, and its name in the file.
struct WantedPart {
  std::size_t part = kParts;
  std::string name;
};

/// "label=mood" says its part; "label" is called after it; else the first is the input and the
/// second the output.
WantedPart wanted_part(const std::string& word, std::size_t place) {
  const std::size_t equals = word.find('=');
  if (equals != std::string::npos)
    if (const std::size_t part = part_called(word.substr(0, equals)); part < kParts)
      return {part, word.substr(equals + 1)};
  const std::size_t part = part_called(word);
  if (part < kParts) return {part, word};
  return {place < 2 ? place : kParts, word};
}

std::size_t place_in(std::span<const std::string_view> header, const std::string& name) {
  const auto exact = std::ranges::find_if(
      header, [&](std::string_view cell) { return trimmed(cell) == trimmed(name); });
  const auto found = exact != header.end() ? exact : std::ranges::find_if(header, [&](auto cell) {
    return same_column(cell, name);
  });
  check<FileError>(found != header.end(), "no column {}; the columns are {}", quote(name, kShown),
                   quoted_names(header));
  return to_size(found - header.begin());
}

CsvColumns wanted_columns(std::span<const std::string_view> header, const std::string& wanted) {
  CsvColumns columns;
  const std::vector<std::string> words = split(wanted, ',');
  for (std::size_t i = 0; i < words.size(); ++i) {
    const WantedPart one = wanted_part(words[i], i);
    const bool fits =
        one.part < kParts && !one.name.empty() && columns.places[one.part] == CsvColumns::kNone;
    check<UsageError>(fits,
                      "--columns {}: {} {}; accepted is INPUT,OUTPUT or INPUT,label=NAME, and "
                      "split=NAME behind either",
                      quote(wanted), quote(words[i]),
                      one.part < kParts && !one.name.empty() ? "is one column too many"
                                                             : "does not say which part it is");
    columns.places[one.part] = place_in(header, one.name);
  }
  const bool answers = columns.has(ExamplePart::output) != columns.has(ExamplePart::label);
  check<UsageError>(columns.has(ExamplePart::input) && answers,
                    "--columns {}: accepted is INPUT,OUTPUT or INPUT,label=NAME, and split=NAME "
                    "behind either",
                    quote(wanted));
  return columns;
}

std::string_view name_of_separator(char separator) {
  if (separator == '\t') return "tabs";
  return separator == ';' ? "';'" : "','";
}

}  // namespace

bool same_column(std::string_view a, std::string_view b) {
  return std::ranges::equal(trimmed(a), trimmed(b),
                            [](char x, char y) { return small(x) == small(y); });
}

CsvColumns find_columns(std::span<const std::string_view> header, const std::string& wanted) {
  return wanted.empty() ? columns_by_name(header) : wanted_columns(header, wanted);
}

std::string columns_note(std::span<const std::string_view> header, const CsvColumns& columns,
                         char separator, char usual) {
  const auto names = names_of(ExamplePart{});
  std::vector<std::string> taken, left;
  bool plain = separator == usual;
  for (std::size_t i = 0; i < header.size(); ++i) {
    const auto part = to_size(std::ranges::find(columns.places, i) - columns.places.begin());
    const std::string name = quote(trimmed(header[i]), kShown);
    if (part == kParts) {
      left.push_back(name);
    } else {
      taken.push_back(fmt::format("{} is {}", names[part], name));
    }
    plain = plain && part < kParts && trimmed(header[i]) == names[part];
  }
  if (plain) return "";
  return fmt::format("columns, parted by {}: {}{}{}", name_of_separator(separator),
                     join(taken, ", "), left.empty() ? "" : "; not read: ", join(left, ", "));
}

}  // namespace heddle
