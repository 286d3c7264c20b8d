// Which column of a file with a header is which part of an example.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "heddle/base/index.hpp"

namespace heddle {

/// The parts of an example, in the order of kPartNames.
enum class ExamplePart : std::uint8_t { input, output, label, split };
inline constexpr std::size_t kParts = 4;
constexpr std::array<std::string_view, kParts> names_of(ExamplePart) {
  return {"input", "output", "label", "split"};
}

/// The place of each part's column in the header; kNone where there is none.
struct CsvColumns {
  static constexpr std::size_t kNone = to_size(-1);
  std::array<std::size_t, kParts> places{kNone, kNone, kNone, kNone};

  std::size_t& operator[](ExamplePart part) { return places[to_size(part)]; }
  std::size_t operator[](ExamplePart part) const { return places[to_size(part)]; }
  bool has(ExamplePart part) const { return (*this)[part] != kNone; }
};

/// Whether two names of columns are the same but for spaces around them and large letters.
bool same_column(std::string_view a, std::string_view b);

/// Where the parts stand in a header. With `wanted` empty every column is called after its part;
/// else the columns that it names are taken and the others left: "INPUT,OUTPUT",
/// "INPUT,label=NAME", either with "split=NAME" behind it. UsageError for a `wanted` that says
/// something else; FileError for a column that is unknown, missing or there twice, which does not
/// name the file.
CsvColumns find_columns(std::span<const std::string_view> header, const std::string& wanted);

/// What was taken, in words, where that does not go without saying: columns called otherwise or
/// left unread, another separator than the usual one. Empty otherwise.
std::string columns_note(std::span<const std::string_view> header, const CsvColumns& columns,
                         char separator, char usual);

}  // namespace heddle
