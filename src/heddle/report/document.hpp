// The content of a report, once: the page and the Markdown file are two renderings of it.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "heddle/record/addition_study.hpp"
#include "heddle/report/source.hpp"
#include "heddle/report/text.hpp"

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

/// Where the page lets a reader walk through the attention of one member.
struct Browser {
  const MemberRecord* member = nullptr;
};

using Block = std::variant<Paragraph, Table, Figure, Code, Browser>;

struct Section {
  std::string id, title;
  std::vector<Block> blocks;
};

struct Document {
  std::string title;
  std::vector<Section> sections;
};

/// The report on a study. `source` must live as long as the document.
Document document_of(const Source& source);

// Its sections, in order.
Section answer_section(const Source& source);
Section members_section(const Source& source);
Section attention_section(const Source& source);
Section ablation_section(const Source& source);
Section pruning_section(const Source& source);
Section roles_section(const Source& source);
Section circuit_section(const Source& source);
Section population_section(const Source& source);
Section training_section(const Source& source);
Section claims_section(const Source& source);
Section reports_section(const Source& source);
Section methods_section(const Source& source);

/// Adds a paragraph, or a figure unless it is empty.
void add(Section& section, Text paragraph);
void add_figure(Section& section, const std::string& file, const std::string& title, Text caption,
                std::string svg);
/// Adds a table unless it has no rows.
void add_table(Section& section, Table table);
/// Left-aligned and right-aligned headings.
std::vector<Column> columns(const std::vector<Text>& left, const std::vector<Text>& right);

/// An estimate as people read it, and its interval.
Text value_of(const Source& source, const Estimate& estimate);
Text interval_of(const Source& source, const Estimate& estimate);
/// Rows of name, estimate, interval, seeds for every population.
Table estimates_table(const Source& source, std::vector<Estimate> Population::* list, Text caption);

}  // namespace heddle::report
