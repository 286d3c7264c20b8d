// See scan.hpp.
#include "heddle/report/check/scan.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "heddle/base/text.hpp"

namespace heddle::report {
namespace {

constexpr std::string_view kMinus = "−";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string unescaped(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, char>, 5> kEntities{
      {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}}};
  std::string out;
  while (!text.empty()) {
    const auto* found = std::ranges::find_if(
        kEntities, [&](const auto& entity) { return text.starts_with(entity.first); });
    out += found == kEntities.end() ? text.front() : found->second;
    text.remove_prefix(found == kEntities.end() ? 1 : found->first.size());
  }
  return out;
}

std::string attribute(std::string_view tag, std::string_view name) {
  const std::string start = std::string(" ").append(name).append("=\"");
  const std::size_t at = tag.find(start);
  if (at == std::string_view::npos) return "";
  tag.remove_prefix(at + start.size());
  return unescaped(tag.substr(0, tag.find('"')));
}

std::string_view name_of_tag(std::string_view tag) {
  return tag.substr(0, tag.find_first_of(" \n/", 1));
}

class PageScanner {
 public:
  explicit PageScanner(std::string_view html) : left_(html) {}

  std::vector<Scanned> scan() {
    while (!left_.empty()) {
      const std::size_t open = left_.find('<');
      take_text(left_.substr(0, open));
      if (open == std::string_view::npos) break;
      left_.remove_prefix(open + 1);
      const std::string_view tag = left_.substr(0, left_.find('>'));
      left_.remove_prefix(std::min(left_.size(), tag.size() + 1));
      take_tag(tag);
    }
    return std::move(found_);
  }

 private:
  void take_text(std::string_view text) {
    if (text.empty()) return;
    Scanned piece = now_;
    piece.text = unescaped(text);
    found_.push_back(std::move(piece));
  }

  void take_tag(std::string_view tag) {
    const std::string_view name = name_of_tag(tag);
    if (name == "script" || name == "style" || name == "svg" || name == "nav") {
      const std::string end = fmt::format("</{}", name);
      const std::string_view inside = left_.substr(0, left_.find(end));
      if (name == "svg") take_figure(inside);
      left_.remove_prefix(inside.size());
      return;
    }
    if (const std::string how = attribute(tag, "data-how"); !how.empty()) {
      now_.how = how;
      now_.from = split(attribute(tag, "data-from"), ' ');
    } else if (name == "/data" || name == "/span") {
      now_.how.clear();
      now_.from.clear();
    } else if (name != "a" && name != "/a") {
      take_layout(tag, name);
    }
  }

  /// The texts of a figure; the numbers of its axes are nobody's.
  void take_figure(std::string_view svg) {
    constexpr std::string_view kTextOpen = "<text ", kTextClose = "</text>";
    for (std::size_t at = svg.find(kTextOpen); at != std::string_view::npos;
         at = svg.find(kTextOpen)) {
      svg.remove_prefix(at);
      const std::string_view text = svg.substr(0, svg.find(kTextClose));
      svg.remove_prefix(text.size());
      const std::size_t inside = text.find('>');
      if (inside == std::string_view::npos ||
          attribute(text.substr(0, inside), "data-how") == "scale")
        continue;
      take_figure_text(text.substr(inside + 1));
    }
  }

  void take_figure_text(std::string_view text) {
    Scanned piece{.text = "", .how = "", .from = {}, .figure = true};
    while (!text.empty()) {
      const std::size_t open = text.find('<');
      piece.text = unescaped(text.substr(0, open));
      if (!piece.text.empty()) found_.push_back(piece);
      if (open == std::string_view::npos) return;
      text.remove_prefix(open);
      const std::string_view tag = text.substr(0, text.find('>'));
      text.remove_prefix(std::min(text.size(), tag.size() + 1));
      piece.how = attribute(tag, "data-how");
      piece.from =
          piece.how.empty() ? std::vector<std::string>{} : split(attribute(tag, "data-from"), ' ');
    }
  }

  void take_layout(std::string_view tag, std::string_view name) {
    Scanned gap = now_;  // words of two cells do not touch
    gap.text.assign(1, ' ');
    found_.push_back(gap);
    if (name == "table") {
      now_.table = ++tables_;
      now_.falls = static_cast<int>(parse_int(attribute(tag, "data-falls")).value_or(-1));
      now_.row = -1;
    } else if (name == "/table") {
      now_.table = now_.falls = now_.row = now_.column = -1;
    } else if (name == "tr") {
      ++now_.row;
      now_.column = -1;
    } else if (name == "td" || name == "th") {
      ++now_.column;
    }
  }

  std::string_view left_;
  Scanned now_;
  int tables_ = -1;
  std::vector<Scanned> found_;
};

/// Takes digits (with commas between thousands) off the front.
std::string take_digits(std::string_view& text, bool commas) {
  std::string digits;
  while (!text.empty()) {
    const bool comma = commas && text[0] == ',' && text.size() > 3 && is_digit(text[1]) &&
                       is_digit(text[2]) && is_digit(text[3]) &&
                       (text.size() == 4 || !is_digit(text[4]));
    if (!is_digit(text[0]) && !comma) break;
    if (!comma) digits += text[0];
    text.remove_prefix(1);
  }
  return digits;
}

/// Takes "e−05" off the front.
std::string take_exponent(std::string_view& text) {
  std::string_view rest = text;
  if (!rest.starts_with('e')) return "";
  rest.remove_prefix(1);
  std::string sign;
  if (rest.starts_with(kMinus)) {
    sign = "-";
    rest.remove_prefix(kMinus.size());
  } else if (rest.starts_with('-') || rest.starts_with('+')) {
    sign = rest[0] == '-' ? "-" : "";
    rest.remove_prefix(1);
  }
  const std::string digits = take_digits(rest, false);
  if (digits.empty()) return "";
  text = rest;
  return fmt::format("e{}{}", sign, digits);
}

}  // namespace

std::vector<Scanned> scan_page(std::string_view html) {
  return PageScanner(html).scan();
}

std::vector<std::string> figures_of(std::string_view html) {
  constexpr std::string_view kCaption = "<figcaption>", kLink = "<a href=\"", kPicture = ".svg";
  std::vector<std::string> files;
  for (std::size_t at = html.find(kCaption); at != std::string_view::npos;
       at = html.find(kCaption)) {
    html.remove_prefix(at + kCaption.size());
    std::string_view caption = html.substr(0, html.find("</figcaption>"));
    const std::size_t link = caption.rfind(kLink);
    if (link == std::string_view::npos) continue;
    caption.remove_prefix(link + kLink.size());
    std::string file = unescaped(caption.substr(0, caption.find('"')));
    if (file.ends_with(kPicture)) files.push_back(std::move(file));
  }
  return files;
}

std::vector<PrintedNumber> numbers_in(std::string_view text) {
  std::vector<PrintedNumber> found;
  bool minus = false;
  while (!text.empty()) {
    if (!is_digit(text[0])) {
      minus = text.starts_with(kMinus);
      text.remove_prefix(minus ? kMinus.size() : 1);
      continue;
    }
    PrintedNumber number;
    number.text = fmt::format("{}{}", minus ? "-" : "", take_digits(text, true));
    if (text.size() > 1 && text[0] == '.' && is_digit(text[1])) {
      text.remove_prefix(1);
      const std::string after = take_digits(text, false);
      number.text.append(".").append(after);
      number.decimals = static_cast<int>(after.size());
    }
    if (const std::string power = take_exponent(text); !power.empty()) {
      number.text += power;
      number.decimals -= static_cast<int>(parse_int(std::string_view(power).substr(1)).value_or(0));
    }
    number.value = parse_double(number.text).value_or(0);
    found.push_back(std::move(number));
    minus = false;
  }
  return found;
}

std::string markdown_words(std::string_view markdown) {
  std::string out;
  bool code = false;
  for (std::size_t i = 0; i < markdown.size(); ++i) {
    const std::string_view rest = markdown.substr(i);
    if (rest.starts_with("```")) code = !code;
    if (!code && rest.starts_with("](")) {
      i += rest.find(')');
    } else if (!code && rest.starts_with("<a id=")) {
      i += rest.find('>');
    } else if (!code && rest[0] == '\\' && rest.size() > 1) {
      out += rest[1];
      ++i;
    } else {
      out += rest[0];
    }
  }
  return out;
}

}  // namespace heddle::report
