// See consistency.hpp.
#include "heddle/report/check/consistency.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "heddle/base/decimal.hpp"
#include "heddle/base/index.hpp"
#include "heddle/base/text.hpp"
#include "heddle/report/check/embedded.hpp"
#include "heddle/report/check/path.hpp"
#include "heddle/report/check/reproductions.hpp"
#include "heddle/report/check/scan.hpp"
#include "heddle/report/document/label.hpp"
#include "heddle/report/document/number.hpp"
#include "heddle/report/document/source.hpp"

namespace heddle::report {
namespace {

double number_of(const Json& node) {
  return node.is_number() ? node.get<double>() : std::nan("");
}

/// correct / total of nodes that come in pairs.
std::vector<double> shares_of(const std::vector<const Json*>& nodes) {
  std::vector<double> shares;
  for (std::size_t i = 0; i + 1 < nodes.size(); i += 2) {
    const double total = number_of(*nodes[i + 1]);
    shares.push_back(total > 0 ? number_of(*nodes[i]) / total : std::nan(""));
  }
  return shares;
}

/// A number that must be printed: its value, and the text that the one rule gives it.
struct Wanted {
  enum class Kind : std::uint8_t { plain, points, percent, share };
  Kind kind = Kind::plain;
  double value = 0;                  ///< a fraction, but for plain numbers
  std::int64_t part = 0, whole = 0;  ///< of a share

  bool known() const { return std::isfinite(value); }
  /// As it is printed: 45.3 of 0.453.
  double shown() const { return kind == Kind::plain ? value : 100 * value; }
  std::string text(int decimals) const {
    switch (kind) {
      case Kind::plain:
        return format_fixed(value, decimals);
      case Kind::points:
        return format_points(value, decimals);
      case Kind::percent:
        return format_percent(value, decimals);
      case Kind::share:
        return format_share(part, whole, decimals);
    }
    return "";
  }
};

std::vector<Wanted> all_of(Wanted::Kind kind, const std::vector<double>& values) {
  std::vector<Wanted> wanted;
  for (const double value : values)
    wanted.push_back({.kind = kind, .value = value, .part = 0, .whole = 0});
  return wanted;
}

Wanted share_of_nodes(const std::vector<const Json*>& nodes) {
  const auto count = [](const Json& node) {
    return node.is_number_integer() ? node.get<std::int64_t>() : 0;
  };
  return {.kind = Wanted::Kind::share,
          .value = shares_of(nodes)[0],
          .part = count(*nodes[0]),
          .whole = count(*nodes[1])};
}

/// The number at a place of a text such as "0|head|encoder.0.self.head.1|b1|0.23".
double part_of(const Json& node, const std::string& place) {
  const auto index = parse_int(place);
  if (!node.is_string() || !index || *index < 0) return std::nan("");
  const std::vector<std::string> parts = split(node.get<std::string>(), '|');
  const auto at = to_size(*index);
  return at < parts.size() ? parse_double(parts[at]).value_or(std::nan("")) : std::nan("");
}

/// What a derivation must give: the numbers in the order in which they are printed.
std::optional<std::vector<Wanted>> expected(const std::string& how,
                                            const std::vector<const Json*>& nodes) {
  using enum Wanted::Kind;
  std::vector<double> values;
  for (const Json* node : nodes) values.push_back(number_of(*node));
  if (how == "number" || how == "p") return all_of(plain, values);
  if (how == "of") return all_of(plain, values[1] > 0 ? values : std::vector{std::nan("")});
  if (how == "points") return all_of(points, values);
  if (how == "percent") return all_of(percent, values);
  const auto counted = [](auto count) { return all_of(plain, {static_cast<double>(count)}); };
  if (how == "size") return counted(nodes[0]->is_array() ? nodes[0]->size() : 0);
  if (how.starts_with("equal:"))
    return counted(
        std::ranges::count_if(nodes, [&](const Json* node) { return *node == how.substr(6); }));
  if (how == "share") return std::vector{share_of_nodes(nodes)};
  if (how.starts_with("part:")) return all_of(plain, {part_of(*nodes[0], how.substr(5))});
  const std::vector<double> shares = shares_of(nodes);
  if (how == "complete") return counted(std::ranges::count(shares, 1.0));
  if (how == "median-share") return all_of(percent, {median(shares)});
  if (how == "least-share") {
    double least = shares.empty() ? 0 : shares[0];
    for (const double share : shares) least = std::isfinite(share) ? std::min(least, share) : 0;
    return all_of(percent, {least});
  }
  return std::nullopt;
}

/// Whether it is the value to the printed precision, rounded as every number is.
bool fits(const PrintedNumber& printed, const Wanted& wanted) {
  const int decimals = std::max(printed.decimals, 0);
  const auto rounded = numbers_in(with_minus(wanted.text(decimals)));
  if (rounded.size() == 1 && rounded[0].value == printed.value) return true;
  // 1.23e+05 has fewer digits than a whole number.
  const double unit = std::pow(10.0, -printed.decimals);
  return printed.decimals < 0 && std::abs(printed.value - wanted.value) <= 0.5 * unit * (1 + 1e-6);
}

bool fits(const std::vector<PrintedNumber>& printed, const std::vector<Wanted>& wanted) {
  return std::ranges::equal(printed, wanted,
                            [](const PrintedNumber& a, const Wanted& b) { return fits(a, b); });
}

std::vector<double> shown(const std::vector<Wanted>& wanted) {
  std::vector<double> values;
  for (const Wanted& one : wanted) values.push_back(one.shown());
  return values;
}

/// Whether words of a figure hold a measured number: one with decimals or a percentage that is not
/// part of the method. Whole numbers there count layers, heads and seeds; what did not fit is cut.
bool tells_a_value(std::string words) {
  constexpr std::array<std::string_view, 3> kOfTheMethod{"95 %", "0.05", "0.01 nat"};
  if (words.ends_with("…")) return false;
  for (const std::string_view constant : kOfTheMethod)
    for (std::size_t at = words.find(constant); at != std::string::npos; at = words.find(constant))
      words.erase(at, constant.size());
  const auto is = [&](std::size_t i, auto&& kind) {
    return i < words.size() && kind(static_cast<unsigned char>(words[i])) != 0;
  };
  const auto digit = [](int c) { return std::isdigit(c); };
  const auto letter = [](int c) { return std::isalpha(c); };
  for (std::size_t at = 0; at < words.size(); ++at) {
    const bool point = words[at] == '.' && is(at + 1, digit) && !is(at - 1, letter);  // not head.3
    const bool percent = at > 0 && is(at - 1, digit) && words.substr(at).starts_with(" %");
    if (point || percent) return true;
  }
  return false;
}

class PageChecker {
 public:
  explicit PageChecker(const Json& results) : results_(results) {}

  void check(const Scanned& piece) {
    if (piece.table != table_ || piece.row != row_) start_row(piece);
    if (piece.how.empty() && piece.figure) {
      if (tells_a_value(piece.text) && !known_words(piece.text))
        fault(piece, "is a number that comes from nowhere");
    } else if (piece.how.empty()) {
      if (std::ranges::any_of(piece.text, [](char c) { return c >= '0' && c <= '9'; }))
        fault(piece, "is a number that comes from nowhere");
    } else if (piece.how == "rank") {
      if (piece.text != std::to_string(piece.row))
        fault(piece, fmt::format("is not its rank, {}", piece.row));
    } else if (piece.how == "constant") {
      if (piece.text.empty() || piece.text != constant_text(piece.from[0]))
        fault(piece, "is not that constant");
    } else {
      check_paths(piece);
    }
  }

  std::vector<std::string> faults;

 private:
  /// Words of the results as they stand, or two of them with the sign of their difference.
  bool known_words(const std::string& words) {
    constexpr std::string_view kMinus = " − ";
    const std::size_t minus = words.find(kMinus);
    return stands_in_results(words) ||
           (minus != std::string::npos && stands_in_results(words.substr(0, minus)) &&
            stands_in_results(words.substr(minus + kMinus.size())));
  }
  /// Such as a formula, or a line of it.
  bool stands_in_results(const std::string& words) {
    if (texts_.empty()) gather_texts(results_);
    return texts_.find(words) != std::string::npos;
  }
  void gather_texts(const Json& node) {
    if (node.is_string()) texts_.append("\n").append(node.get<std::string>());
    if (node.is_object())
      for (const auto& [key, value] : node.items()) gather_texts(value);
    if (node.is_array())
      for (std::size_t i = 0; i < node.size() && !node[i].is_number(); ++i) gather_texts(node[i]);
  }

  void start_row(const Scanned& piece) {
    if (piece.table != table_) before_ = std::nan("");
    table_ = piece.table;
    row_ = piece.row;
  }

  void fault(const Scanned& piece, const std::string& what) {
    faults.push_back(fmt::format(
        "'{}' {} ({})", piece.text, what,
        piece.how.empty() ? "our own words" : piece.how + " of " + join(piece.from, " ")));
  }

  void check_paths(const Scanned& piece) {
    std::vector<const Json*> nodes;
    for (const std::string& path : piece.from) {
      nodes.push_back(find_path(results_, path));
      if (nodes.back() == nullptr) return fault(piece, "names a path that is not there");
    }
    if (piece.how == "text" || piece.how == "label") return check_words(piece, *nodes[0]);
    const auto values = expected(piece.how, nodes);
    if (!values) return fault(piece, "is derived in a way that nobody knows");
    if (piece.text == kNoData) {
      if (std::ranges::any_of(*values, &Wanted::known)) fault(piece, "hides a number");
    } else if (piece.how == "p" && piece.text.starts_with("<")) {
      if (!((*values)[0].value < numbers_in(piece.text)[0].value))
        fault(piece, fmt::format("is not below it: {}", (*values)[0].value));
    } else if (!fits(numbers_in(piece.text), without_missing(piece, *values))) {
      fault(piece, fmt::format("should be {}, rounded half away from zero",
                               fmt::join(shown(*values), ", ")));
    }
    if (piece.falls >= 0 && piece.column == piece.falls && piece.row > 0)
      check_order(piece, (*values)[0].shown());
  }

  /// The values that are numbers: of a list, each of the others must stand there as no data.
  std::vector<Wanted> without_missing(const Scanned& piece, std::vector<Wanted> values) {
    std::size_t dashes = 0;
    for (std::size_t at = piece.text.find(kNoData); at != std::string::npos;
         at = piece.text.find(kNoData, at + 1))
      ++dashes;
    const std::size_t missing =
        std::erase_if(values, [](const Wanted& value) { return !value.known(); });
    if (missing != dashes) fault(piece, fmt::format("should have {} without data", missing));
    return values;
  }

  void check_words(const Scanned& piece, const Json& node) {
    if (!node.is_string()) return fault(piece, "is no text in the results");
    const auto words = node.get<std::string>();
    if (piece.text != (piece.how == "label" ? label_of(words) : words))
      fault(piece, fmt::format("should be '{}'", words));
  }

  void check_order(const Scanned& piece, double value) {
    if (value > before_) fault(piece, fmt::format("is larger than {} in the row above", before_));
    before_ = value;
  }

  const Json& results_;
  int table_ = -1, row_ = -1;
  double before_ = std::nan("");
  std::string texts_;  // of the results, gathered when they are asked for
};

}  // namespace

std::vector<std::string> check_page(std::string_view html, const Json& results) {
  PageChecker checker(results);
  for (const Scanned& piece : scan_page(html)) checker.check(piece);
  for (std::string& fault : check_embedded(html, results))
    checker.faults.push_back(std::move(fault));
  for (std::string& fault : check_reproductions(results))
    checker.faults.push_back(std::move(fault));
  return checker.faults;
}

std::vector<std::string> check_figure(std::string_view svg, const Json& results) {
  PageChecker checker(results);
  for (const Scanned& piece : scan_page(svg)) checker.check(piece);
  return checker.faults;
}

std::vector<std::string> check_markdown(std::string_view markdown, std::string_view html) {
  std::string words;
  for (const Scanned& piece : scan_page(html))
    if (!piece.figure) words += piece.text;
  const auto page = numbers_in(words), file = numbers_in(markdown_words(markdown));
  const auto [a, b] =
      std::ranges::mismatch(page, file, {}, &PrintedNumber::text, &PrintedNumber::text);
  if (a == page.end() && b == file.end()) return {};
  return {fmt::format("number {} is {} in the page and {} in the Markdown file",
                      a - page.begin() + 1, a == page.end() ? "missing" : a->text,
                      b == file.end() ? "missing" : b->text)};
}

}  // namespace heddle::report
