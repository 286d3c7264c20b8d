// See embedded.hpp.
#include "heddle/report/check/embedded.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "heddle/report/check/path.hpp"
#include "heddle/report/draw/base64.hpp"
#include "heddle/report/web/widget.hpp"

namespace heddle::report {
namespace {

constexpr std::string_view kOpen = R"(<script type="application/json")", kClose = "</script>";
constexpr std::size_t kMostShown = 40;  // letters of a value in a fault

std::string shown(const Json& value) {
  std::string text = value.dump();
  if (text.size() > kMostShown) text = text.substr(0, kMostShown) + "…";
  return text;
}

std::string inside(const std::string& path, const std::string& key) {
  return path.empty() ? key : fmt::format("{}.{}", path, key);
}

bool is_colour(const std::string& text) {
  return text.size() == 7 && text.front() == '#' &&
         text.find_first_not_of("0123456789abcdef", 1) == std::string::npos;
}

bool has_digit(const std::string& text) {
  return std::ranges::any_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// A part of the data, or parts, with paths of their own.
bool is_nested(const Json& value) {
  return value.is_object() || (value.is_array() && !value.empty() && value.front().is_object());
}

class DataChecker {
 public:
  explicit DataChecker(const Json& results) : results_(results) {}

  void walk(const Json& data, const std::string& where) {
    if (data.is_object() && data.contains("from")) return check_copy(data);
    if (data.is_object()) {
      for (const auto& [key, value] : data.items()) walk(value, inside(where, key));
    } else if (data.is_array()) {
      for (std::size_t i = 0; i < data.size(); ++i) walk(data[i], inside(where, std::to_string(i)));
    } else if (data.is_number()) {
      fault(where, fmt::format("{} is a number that comes from nowhere", shown(data)));
    } else if (data.is_string()) {
      const auto text = data.get<std::string>();
      if (has_digit(text) && !is_colour(text))
        fault(where, fmt::format("{} is a number that comes from nowhere", shown(data)));
    }
  }

  void fault(const std::string& where, const std::string& what) {
    faults.push_back(fmt::format("embedded data: {}: {}", where, what));
  }

  std::vector<std::string> faults;

 private:
  void check_copy(const Json& copy) {
    const std::string from = copy["from"].is_string() ? copy["from"].get<std::string>() : "?";
    const Json* original = find_path(results_, from);
    if (original == nullptr) return fault(from, "is not in the results");
    const std::vector<const Json*> rows = rows_of(copy, *original, from);
    for (const auto& [key, value] : copy.items()) {
      if (key == "from" || key == "at") continue;
      const std::string where = inside(from, key);
      if (is_nested(value)) {
        walk(value, where);
      } else if (value.is_string() && is_list(*original, key)) {
        check_weights(value, (*original)[key], where);
      } else {
        check_field(key, value, original->is_array() ? rows : std::vector{original}, where);
      }
    }
  }

  /// The entries of a list that the copy is about.
  std::vector<const Json*> rows_of(const Json& copy, const Json& original,
                                   const std::string& from) {
    std::vector<const Json*> rows;
    if (!original.is_array()) return rows;
    if (!copy.contains("at")) {
      for (const Json& row : original) rows.push_back(&row);
      return rows;
    }
    for (const Json& index : copy["at"]) {
      if (!index.is_number_unsigned() || index.get<std::size_t>() >= original.size()) {
        fault(from, fmt::format("has no entry {}", shown(index)));
        return {};
      }
      rows.push_back(&original[index.get<std::size_t>()]);
    }
    return rows;
  }

  /// One value for each row, or one that all of them have.
  void check_field(const std::string& key, const Json& value, const std::vector<const Json*>& rows,
                   const std::string& where) {
    const bool is_column = value.is_array() && (rows.size() != 1 || !is_list(*rows[0], key));
    if (is_column && value.size() != rows.size())
      return fault(where, fmt::format("{} values, should be {}", value.size(), rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Json* truth = find_path(*rows[i], key);
      const Json& said = is_column ? value[i] : value;
      if (truth == nullptr) return fault(where, "is not in the results");
      if (said != *truth)
        return fault(where, fmt::format("{} should be {}", shown(said), shown(*truth)));
    }
  }

  static bool is_list(const Json& row, const std::string& key) {
    const Json* field = find_path(row, key);
    return field != nullptr && field->is_array();
  }

  /// Ten-thousandths, two bytes each; what is hidden as masked must be nothing.
  void check_weights(const Json& packed, const Json& truth, const std::string& where) {
    const std::string bytes =
        packed.is_string() ? base64_bytes(packed.get<std::string>()) : std::string();
    if (!truth.is_array() || bytes.size() != 2 * truth.size())
      return fault(where, fmt::format("{} weights, should be {}", bytes.size() / 2, truth.size()));
    for (std::size_t i = 0; i < truth.size(); ++i) {
      const auto low = static_cast<unsigned char>(bytes[2 * i]);
      const auto high = static_cast<unsigned char>(bytes[2 * i + 1]);
      const unsigned number = low + 256U * high;
      const double weight = truth[i].is_number() ? truth[i].get<double>() : std::nan("");
      const bool fits = number == kMaskedWeight
                            ? !(std::abs(weight) > 0)
                            : std::abs(number - weight * kWeightUnit) <= 0.5 + 1e-9;
      if (!fits)
        return fault(where, fmt::format("{} / {} at {} should be {}", number, kWeightUnit, i,
                                        shown(truth[i])));
    }
  }

  const Json& results_;
};

}  // namespace

std::vector<std::string> check_embedded(std::string_view html, const Json& results) {
  DataChecker checker(results);
  for (std::size_t at = html.find(kOpen); at != std::string_view::npos; at = html.find(kOpen, at)) {
    const std::size_t start = html.find('>', at) + 1, end = html.find(kClose, start);
    at = std::min(end, html.size());
    const Json data = Json::try_parse(html.substr(start, end - start));
    if (data.is_discarded()) {
      checker.fault("the page", "cut off or no JSON");
    } else {
      checker.walk(data, "data");
    }
  }
  return std::move(checker.faults);
}

}  // namespace heddle::report
