// See source.hpp.
#include "heddle/report/document/source.hpp"

#include <algorithm>
#include <array>

#include "heddle/base/index.hpp"
#include "heddle/base/text.hpp"
#include "heddle/report/document/label.hpp"
#include "heddle/report/document/number.hpp"

namespace heddle::report {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kConstants{{
    {"confidence", "95 %"},
    {"critical", "10"},
    {"important", "1"},
    {"one-point", "1"},
    {"five-points", "5"},
    {"relative", "1 %"},
    {"nine", "9"},
    {"ten", "10"},
    {"guess", "50 %"},
}};

Piece made(std::string text, std::string how, std::vector<std::string> from) {
  return {.text = std::move(text), .how = std::move(how), .from = std::move(from), .target = ""};
}

std::vector<double> shares(const std::vector<const Count*>& counts) {
  std::vector<double> all;
  for (const Count* count : counts) all.push_back(count->share());
  return all;
}

}  // namespace

std::string_view constant_text(std::string_view name) {
  const auto found = std::ranges::find(kConstants, name, &decltype(kConstants)::value_type::first);
  return found == kConstants.end() ? std::string_view() : found->second;
}

std::string Source::path(const void* field) const {
  const auto found = found_.find(field);
  check(found != found_.end(), "report: a value that is no part of the study");
  std::string path;
  for (std::int32_t at = found->second; at > 0; at = nodes_[to_size(at)].parent) {
    const Node& node = nodes_[to_size(at)];
    std::string name = node.index < 0 ? std::string(node.name) : std::to_string(node.index);
    if (!path.empty()) name.append(".").append(path);
    path = std::move(name);
  }
  return path;
}

std::vector<std::string> Source::paths(const std::vector<const Count*>& counts) const {
  std::vector<std::string> all;
  for (const Count* count : counts) {
    all.push_back(path(&count->correct));
    all.push_back(path(&count->total));
  }
  return all;
}

Piece Source::text(const std::string& field) const {
  return made(field, "text", {path(&field)});
}
Piece Source::name(std::string_view name, const void* field) const {
  return made(std::string(name), "text", {path(field)});
}
Piece Source::label(const std::string& name) const {
  return made(label_of(name), "label", {path(&name)});
}
Piece Source::count(const std::int64_t& field) const {
  return made(format_count(field), "number", {path(&field)});
}
Piece Source::seed(const std::uint64_t& field) const {
  return made(std::to_string(field), "number", {path(&field)});
}
Piece Source::share(const Count& count) const {
  return made(report::percent(count), "share", paths({&count}));
}
Piece Source::of(const Count& count) const {
  return made(of_total(count), "of", paths({&count}));
}
Piece Source::of(const std::int64_t& part, const std::int64_t& whole) const {
  return made(of_total({.correct = part, .total = whole}), "of", {path(&part), path(&whole)});
}
Piece Source::percent(const double& field, int decimals) const {
  return made(report::percent(field, decimals), "percent", {path(&field)});
}
Piece Source::points(const double& field) const {
  return made(report::points(field), "points", {path(&field)});
}
Piece Source::points_interval(const double& low, const double& high) const {
  return made(interval(report::points(low), report::points(high)), "points",
              {path(&low), path(&high)});
}
Piece Source::percent_interval(const double& low, const double& high) const {
  return made(interval(report::percent(low, 1), report::percent(high, 1)), "percent",
              {path(&low), path(&high)});
}
Piece Source::number(const double& field, int decimals) const {
  return made(fixed(field, decimals), "number", {path(&field)});
}
Piece Source::number_interval(const double& low, const double& high, int decimals) const {
  return made(interval(fixed(low, decimals), fixed(high, decimals)), "number",
              {path(&low), path(&high)});
}
Piece Source::significant(const double& field) const {
  return made(report::significant(field), "number", {path(&field)});
}
Piece Source::p(const double& field) const {
  return made(p_value(field), "p", {path(&field)});
}

Piece Source::part(const std::string& field, std::size_t place, int decimals) const {
  const std::vector<std::string> parts = split(field, '|');
  const auto number = place < parts.size() ? parse_double(parts[place]) : std::nullopt;
  return made(number ? fixed(*number, decimals) : kNoData, fmt::format("part:{}", place),
              {path(&field)});
}

Piece Source::size_of(const void* list, std::size_t size) const {
  return made(format_count(static_cast<std::int64_t>(size)), "size", {path(list)});
}

Piece Source::equal(const std::vector<const std::string*>& fields, const std::string& value) const {
  const auto hits = std::ranges::count_if(fields, [&](auto* field) { return *field == value; });
  return equal_to({fields.begin(), fields.end()}, hits, value);
}
Piece Source::equal_to(const std::vector<const void*>& fields, std::ptrdiff_t hits,
                       std::string_view value) const {
  std::vector<std::string> from;
  for (const void* field : fields) from.push_back(path(field));
  return made(format_count(hits), fmt::format("equal:{}", value), std::move(from));
}

Piece Source::complete(const std::vector<const Count*>& counts) const {
  const auto hits = std::ranges::count_if(counts, [](const Count* count) {
    return count->total > 0 && count->correct == count->total;
  });
  return made(format_count(hits), "complete", paths(counts));
}

Piece Source::median_share(const std::vector<const Count*>& counts) const {
  return made(report::percent(median(shares(counts)), 2), "median-share", paths(counts));
}
Piece Source::least_share(const std::vector<const Count*>& counts) const {
  const std::vector<double> all = shares(counts);
  const double least = all.empty() ? 0 : *std::ranges::min_element(all);
  return made(report::percent(least, 2), "least-share", paths(counts));
}

Piece Source::rank(std::size_t row) {
  return made(std::to_string(row), "rank", {});
}
Piece Source::constant(std::string_view name) {
  check(!constant_text(name).empty(), "report: there is no constant {}", quote(name));
  return made(std::string(constant_text(name)), "constant", {std::string(name)});
}

}  // namespace heddle::report
