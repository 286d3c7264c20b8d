// See markdown.hpp.
#include "heddle/report/document/markdown.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace heddle::report {
namespace {

/// Letters that Markdown would read as marks get a backslash; line ends become spaces.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\`*_[]<>|#").find(c) != std::string_view::npos) out += '\\';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  return out;
}

std::string markdown_text(const Text& text) {
  std::string out;
  for (const Piece& piece : text.pieces)
    out += piece.target.empty()
               ? plain(piece.text)
               : fmt::format("[{}]({})", plain(piece.text), address_of(piece.target));
  return out;
}

/// More backticks than stand in a row within the text, so that it cannot end its own block.
std::string fence_around(std::string_view text) {
  std::size_t run = 0, longest = 2;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  std::string fence(longest + 1, '`');
  return fence;
}

struct MarkdownWriter {
  std::string out;

  void operator()(const Paragraph& paragraph) {
    const std::string text = markdown_text(paragraph.text);
    out += paragraph.lead ? fmt::format("**{}**\n\n", text) : text + "\n\n";
  }
  void operator()(const Table& table) {
    out += markdown_text(table.caption) + "\n\n|";
    for (const Column& column : table.columns)
      out += fmt::format(" {} |", markdown_text(column.head));
    out += "\n|";
    for (const Column& column : table.columns) out += column.right ? "---:|" : "---|";
    for (const auto& row : table.rows) {
      out += "\n|";
      for (const Text& cell : row) out += fmt::format(" {} |", markdown_text(cell));
    }
    out += "\n\n";
  }
  void operator()(const Figure& figure) {
    out += fmt::format("![{}]({})\n\n*{}*\n\n", plain(figure.title), figure.file,
                       markdown_text(figure.caption));
  }
  void operator()(const Code& code) {
    const std::string fence = fence_around(code.text.text);
    out += fmt::format("{0}\n{1}\n{0}\n\n", fence, code.text.text);
  }
  void operator()(const Widget&) {}
};

}  // namespace

std::string markdown(const Document& document) {
  MarkdownWriter writer{.out = fmt::format("# {}\n\n", plain(document.title))};
  for (const Section& section : document.sections)
    writer.out += fmt::format("- [{}](#{})\n", plain(section.title), section.id);
  writer.out += "\n";
  for (const Section& section : document.sections) {
    writer.out += fmt::format("<a id=\"{}\"></a>\n\n## {}\n\n", section.id, plain(section.title));
    for (const Block& block : section.blocks) std::visit(writer, block);
  }
  return writer.out;
}

}  // namespace heddle::report
