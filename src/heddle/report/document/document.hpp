// The content of a report, once: the page and the Markdown file are two renderings of it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "heddle/record/claims.hpp"
#include "heddle/report/document/source.hpp"
#include "heddle/report/document/text.hpp"

namespace heddle::report {

struct Paragraph {
  Text text;
  bool lead = false;  ///< larger: an answer
};

struct Column {
  Text head;
  bool right = true;  ///< numbers
};

struct Table {
  Text caption;
  std::vector<Column> columns;
  std::vector<std::vector<Text>> rows;
  int falls = -1;  ///< this column's values never rise from row to row
};

struct Figure {
  std::string file;   ///< "figures/roles.svg", from the study's folder
  std::string title;  ///< for those who cannot see it
  Text caption;
  std::string svg;
};

/// Text of the results as it stands: settings, a command.
struct Code {
  Piece text;
};

/// A part of the page that a reader moves; the Markdown file goes without.
struct Widget {
  std::string name;     ///< by which the script knows it: "attention"
  std::string label;    ///< for those who cannot see it
  std::string without;  ///< said where there is no JavaScript
  std::string on_dark;  ///< said on a dark page only; usually empty
  std::string data;     ///< JSON that check_page() can hold against the results
};

using Block = std::variant<Paragraph, Table, Figure, Code, Widget>;

struct Section {
  std::string id, title;
  std::vector<Block> blocks;
};

struct Document {
  std::string title;
  std::vector<Section> sections;
};

/// Adds a paragraph, an answer, or a figure unless it is empty.
void add(Section& section, Text paragraph);
void add_lead(Section& section, Text paragraph);
void add_figure(Section& section, const std::string& file, const std::string& title, Text caption,
                std::string svg);
/// Adds a table unless it has no rows.
void add_table(Section& section, Table table);
/// Adds a moving part unless it has no data.
void add_widget(Section& section, Widget widget);
/// Left-aligned and right-aligned headings.
std::vector<Column> columns(const std::vector<Text>& left, const std::vector<Text>& right);

/// An estimate as people read it, and its interval.
Text value_of(const Source& source, const Estimate& estimate);
Text interval_of(const Source& source, const Estimate& estimate);

// What the reports of all studies have.

/// "Of the 12 claims of earlier reports …": how many hold, are refuted, stay undecided.
Text claims_sentence(const Source& source, const std::vector<Claim>& claims);
/// Every claim with its verdict, those settled by argument first; evidence that names one of the
/// document's `sections` leads there.
Section claims_section(const Source& source, const std::vector<Claim>& claims,
                       std::span<const std::string_view> sections);
/// Reported numbers beside the reproduction and the truth.
Table reproductions_table(const Source& source, const std::vector<Reproduction>& rows);
/// The scale of a study as a table, and what it was called with.
Table scale_table(const Source& source, const std::vector<NamedValue>& scale);
struct Origin {
  const std::string &version, &isa, &preset, &command, &config;
};
void add_origin(Section& section, const Source& source, const Origin& origin);

}  // namespace heddle::report
