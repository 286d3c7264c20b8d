// See consistency.hpp.
#include "heddle/report/check/consistency.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "heddle/base/text.hpp"
#include "heddle/report/check/embedded.hpp"
#include "heddle/report/check/place.hpp"
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

double scaled(double value, double factor) {
  return value * factor;
}

/// What a derivation must give: the numbers in the order in which they are printed.
std::optional<std::vector<double>> expected(const std::string& how,
                                            const std::vector<const Json*>& nodes) {
  std::vector<double> values;
  for (const Json* node : nodes) values.push_back(number_of(*node));
  if (how == "number" || how == "p") return values;
  if (how == "of") return values[1] > 0 ? values : std::vector<double>{std::nan("")};
  if (how == "percent" || how == "points") {
    for (double& value : values) value = scaled(value, 100);
    return values;
  }
  const auto counted = [](auto count) { return std::vector<double>{static_cast<double>(count)}; };
  if (how == "size") return counted(nodes[0]->is_array() ? nodes[0]->size() : 0);
  if (how.starts_with("equal:"))
    return counted(
        std::ranges::count_if(nodes, [&](const Json* node) { return *node == how.substr(6); }));
  const std::vector<double> shares = shares_of(nodes);
  if (how == "complete") return counted(std::ranges::count(shares, 1.0));
  if (how == "share") return std::vector<double>{scaled(shares[0], 100)};
  if (how == "median-share") return std::vector<double>{scaled(median(shares), 100)};
  if (how == "least-share") {
    double least = shares.empty() ? 0 : shares[0];
    for (const double share : shares) least = std::isfinite(share) ? std::min(least, share) : 0;
    return std::vector<double>{scaled(least, 100)};
  }
  return std::nullopt;
}

/// Equal to the printed precision; a percentage may be held back from 100 or 0 that it is not.
bool fits(const Printed& printed, double value, bool percentage) {
  const double unit = std::pow(10.0, -printed.decimals);
  const double gap = std::abs(printed.value - value);
  if (gap <= 0.5 * unit * (1 + 1e-6) + 1e-12 * std::abs(value)) {
    const bool rounded_up = percentage && printed.value == 100 && value < 100;
    const bool rounded_down = percentage && printed.value == 0 && value > 0;
    return !rounded_up && !rounded_down;
  }
  const bool held_back = printed.value < 100 && value < 100 && value > 100 - unit;
  const bool held_up = printed.value > 0 && value > 0 && value < unit;
  return percentage && (held_back || held_up) && gap <= unit;
}

bool fits(const std::vector<Printed>& printed, const std::vector<double>& values, bool percentage) {
  if (printed.size() != values.size()) return false;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!fits(printed[i], values[i], percentage)) return false;
  return true;
}

bool is_percentage(const std::string& how) {
  return how == "percent" || how.ends_with("share");
}

class PageChecker {
 public:
  explicit PageChecker(const Json& results) : results_(results) {}

  void check(const Scanned& piece) {
    if (piece.table != table_ || piece.row != row_) start_row(piece);
    if (piece.how.empty()) {
      if (std::ranges::any_of(piece.text, [](char c) { return c >= '0' && c <= '9'; }))
        fault(piece, "is a number that comes from nowhere");
    } else if (piece.how == "rank") {
      if (piece.text != std::to_string(piece.row))
        fault(piece, fmt::format("is not its rank, {}", piece.row));
    } else if (piece.how == "constant") {
      if (piece.text.empty() || piece.text != constant_text(piece.from[0]))
        fault(piece, "is not that constant");
    } else {
      check_places(piece);
    }
  }

  std::vector<std::string> faults;

 private:
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

  void check_places(const Scanned& piece) {
    std::vector<const Json*> nodes;
    for (const std::string& path : piece.from) {
      nodes.push_back(find_place(results_, path));
      if (nodes.back() == nullptr) return fault(piece, "names a place that is not there");
    }
    if (piece.how == "text" || piece.how == "label") return check_words(piece, *nodes[0]);
    const auto values = expected(piece.how, nodes);
    if (!values) return fault(piece, "is derived in a way that nobody knows");
    if (piece.text == kNoData) {
      if (std::ranges::any_of(*values, [](double value) { return std::isfinite(value); }))
        fault(piece, "hides a number");
    } else if (piece.how == "p" && piece.text.starts_with("<")) {
      if (!((*values)[0] < numbers_in(piece.text)[0].value))
        fault(piece, fmt::format("is not below it: {}", (*values)[0]));
    } else if (!fits(numbers_in(piece.text), told(piece, *values), is_percentage(piece.how))) {
      fault(piece, fmt::format("should be {}", fmt::join(*values, ", ")));
    }
    if (piece.falls >= 0 && piece.column == piece.falls && piece.row > 0)
      check_order(piece, (*values)[0]);
  }

  /// The values that are numbers: of a list, each of the others must stand there as no data.
  std::vector<double> told(const Scanned& piece, std::vector<double> values) {
    std::size_t dashes = 0;
    for (std::size_t at = piece.text.find(kNoData); at != std::string::npos;
         at = piece.text.find(kNoData, at + 1))
      ++dashes;
    const std::size_t missing =
        std::erase_if(values, [](double value) { return !std::isfinite(value); });
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
};

}  // namespace

std::vector<std::string> check_page(std::string_view html, const Json& results) {
  PageChecker checker(results);
  for (const Scanned& piece : scan_page(html)) checker.check(piece);
  for (std::string& fault : check_embedded(html, results))
    checker.faults.push_back(std::move(fault));
  return checker.faults;
}

std::vector<std::string> check_markdown(std::string_view markdown, std::string_view html) {
  std::string words;
  for (const Scanned& piece : scan_page(html)) words += piece.text;
  const auto page = numbers_in(words), file = numbers_in(markdown_words(markdown));
  const auto [a, b] = std::ranges::mismatch(page, file, {}, &Printed::text, &Printed::text);
  if (a == page.end() && b == file.end()) return {};
  return {fmt::format("number {} is {} in the page and {} in the Markdown file",
                      a - page.begin() + 1, a == page.end() ? "missing" : a->text,
                      b == file.end() ? "missing" : b->text)};
}

}  // namespace heddle::report
