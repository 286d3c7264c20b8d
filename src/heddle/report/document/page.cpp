// See page.hpp.
#include "heddle/report/document/page.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "heddle/base/text.hpp"
#include "heddle/report/draw/svg.hpp"
#include "heddle/report/web/template.hpp"

namespace heddle::report {
namespace {

std::string inline_text(const Text& text) {
  std::string out;
  for (const Piece& piece : text.pieces) {
    std::string words = escaped(piece.text);
    if (!piece.how.empty())
      words = fmt::format(R"(<{0} data-how="{1}" data-from="{2}">{3}</{0}>)",
                          piece.how == "text" || piece.how == "label" ? "span" : "data",
                          escaped(piece.how), escaped(join(piece.from, " ")), words);
    if (!piece.target.empty())
      words = fmt::format(R"(<a href="{}">{}</a>)", escaped(address_of(piece.target)), words);
    out += words;
  }
  return out;
}

/// A figure's file as part of the page: the hatching is the page's own, and the figure is named by
/// its caption.
std::string inline_svg(const std::string& svg) {
  std::string out = svg;
  if (const std::size_t start = out.find("<defs>"); start != std::string::npos)
    out.erase(start, out.find("</defs>") + 7 - start);
  return out;
}

constexpr std::size_t kShortCell = 28;   // bytes; these do not wrap
constexpr std::size_t kManyColumns = 9;  // more than these are printed smaller

std::string word_class(const Text& cell) {
  const std::string text = cell.plain();
  for (const std::string_view word :
       {"holds", "refuted", "undecided", "critical", "important", "redundant"})
    if (text == word) return fmt::format(R"( class="tag {}")", word);
  return text.size() <= kShortCell ? R"( class="s")" : "";
}

struct PageWriter {
  std::string out;

  void operator()(const Paragraph& paragraph) {
    out += fmt::format("<p{}>{}</p>\n", paragraph.lead ? R"( class="lead")" : "",
                       inline_text(paragraph.text));
  }
  void operator()(const Table& table) {
    out += fmt::format(
        R"(<div class="scroll" role="region" tabindex="0" aria-label="{}"><table{}{}><caption>{}</caption><thead><tr>)",
        escaped(table.caption.plain()),
        table.columns.size() > kManyColumns ? R"( class="wide")" : "",
        table.falls < 0 ? "" : fmt::format(R"( data-falls="{}")", table.falls),
        inline_text(table.caption));
    for (const Column& column : table.columns)
      out += fmt::format("<th scope=\"col\"{}>{}</th>", column.right ? R"( class="n")" : "",
                         inline_text(column.head));
    out += "</tr></thead><tbody>\n";
    for (const auto& row : table.rows) {
      out += "<tr>";
      for (std::size_t i = 0; i < row.size(); ++i)
        out += fmt::format("<td{}>{}</td>",
                           table.columns[i].right ? R"( class="n")" : word_class(row[i]),
                           inline_text(row[i]));
      out += "</tr>\n";
    }
    out += "</tbody></table></div>\n";
  }
  void operator()(const Figure& figure) {
    out += fmt::format(R"(<figure>{}<figcaption>{} <a href="{}">SVG</a></figcaption></figure>)"
                       "\n",
                       inline_svg(figure.svg), inline_text(figure.caption), escaped(figure.file));
  }
  void operator()(const Code& code) {
    out += fmt::format("<pre>{}</pre>\n", inline_text(code.text));
  }
  void operator()(const Widget& widget) {
    out += fmt::format(
        R"(<div id="{0}-widget" class="widget" role="group" aria-label="{1}"><noscript>{2}</noscript></div>)"
        "\n",
        widget.name, escaped(widget.label), escaped(widget.without));
    if (!widget.on_dark.empty())
      out += fmt::format("<p class=\"dark-note\">{}</p>\n", escaped(widget.on_dark));
    out += fmt::format(R"(<script type="application/json" id="{}-data">{}</script>)"
                       "\n",
                       widget.name, widget.data);
  }
};

std::string contents(const Document& document) {
  std::string out = R"(<nav aria-label="Contents"><ol>)";
  for (const Section& section : document.sections)
    out += fmt::format(R"(<li><a href="#{}">{}</a></li>)", section.id, escaped(section.title));
  return out + "</ol></nav>\n";
}

/// The template with each "{{name}}" replaced by the text of that name.
std::string filled(std::string_view text,
                   const std::vector<std::pair<std::string_view, std::string>>& parts) {
  std::string out;
  while (!text.empty()) {
    const std::size_t hole = text.find("{{");
    out += text.substr(0, hole);
    if (hole == std::string_view::npos) break;
    text.remove_prefix(hole);
    const auto part = std::ranges::find_if(parts, [&](const auto& one) {
      return text.substr(2).starts_with(one.first) && text.substr(2 + one.first.size(), 2) == "}}";
    });
    const bool known = part != parts.end();
    out += known ? std::string_view(part->second) : text.substr(0, 2);
    text.remove_prefix(known ? part->first.size() + 4 : 2);
  }
  return out;
}

std::string sections_of(const Document& document) {
  PageWriter writer;
  for (const Section& section : document.sections) {
    writer.out += fmt::format(
        "<section id=\"{0}\" aria-labelledby=\"{0}-title\"><h2 id=\"{0}-title\">{1}</h2>\n",
        section.id, escaped(section.title));
    for (const Block& block : section.blocks) std::visit(writer, block);
    writer.out += "</section>\n";
  }
  return std::move(writer.out);
}

}  // namespace

std::string page(const Document& document) {
  return filled(page_template(),
                {{"title", escaped(document.title)},
                 {"colours", fmt::format("<style>\n{}</style>", page_colours())},
                 {"first", document.sections.empty() ? "" : document.sections.front().id},
                 {"contents", contents(document)},
                 {"sections", sections_of(document)}});
}

}  // namespace heddle::report
