// Long tables for spreadsheets and data frames, cell by cell.
#pragma once

#include <cmath>
#include <concepts>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "heddle/base/text.hpp"
#include "heddle/record/claims.hpp"

namespace heddle::report {

/// A file of a report: its path from the study's folder, and its bytes.
struct FileText {
  std::string path, text;
};

/// tables/PATH: a header, then rows; a number that is none is left empty.
class Csv {
 public:
  Csv(const std::string& path, const std::string& header)
      : file_{.path = "tables/" + path, .text = header + "\n"} {}

  /// A row that begins with the member's recipe and seed.
  template <class Member, class... Cells>
  void row(const Member& member, const Cells&... cells) {
    add(member.recipe, member.seed, cells...);
  }
  template <class... Cells>
  void add(const Cells&... cells) {
    const std::vector<std::string> texts{cell(cells)...};
    file_.text += join(texts, ",") + "\n";
  }
  /// Cells that are texts already, as many as there are.
  void add_row(const std::vector<std::string>& texts) {
    std::vector<std::string> cells;
    for (const std::string& text : texts) cells.push_back(cell(text));
    file_.text += join(cells, ",") + "\n";
  }
  FileText file() { return std::move(file_); }

 private:
  static std::string cell(const std::string& text) {
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted.append(c == '"' ? "\"\"" : std::string(1, c));
    return quoted + "\"";
  }
  static std::string cell(const char* text) { return cell(std::string(text)); }
  static std::string cell(double value) {
    return std::isfinite(value) ? fmt::format("{}", value) : "";
  }
  static std::string cell(Named auto kind) { return std::string(name_of(kind)); }
  static std::string cell(bool value) { return value ? "yes" : "no"; }
  static std::string cell(std::integral auto value) { return fmt::format("{}", value); }

  FileText file_;
};

/// tables/claims.csv, the same for every study.
FileText claims_csv(const std::vector<Claim>& claims);

}  // namespace heddle::report
