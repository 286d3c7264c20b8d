// See reproductions.hpp.
#include "heddle/report/check/reproductions.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "heddle/base/decimal.hpp"
#include "heddle/base/text.hpp"
#include "heddle/record/score.hpp"
#include "heddle/report/check/path.hpp"

namespace heddle::report {
namespace {

constexpr std::string_view kMark = " % (median of ";

double share_at(const Json& member, const std::string& path) {
  const Json *correct = find_path(member, path + ".correct"),
             *total = find_path(member, path + ".total");
  if (correct == nullptr || total == nullptr || !total->is_number() || !correct->is_number())
    return 0;
  const auto whole = total->get<double>();
  return whole > 0 ? correct->get<double>() / whole : 0;
}

/// What the members of each recipe would be said to show.
std::vector<std::string> medians(const Json& members) {
  std::vector<std::string> all;
  for (const char* path : {"test.greedy", "test.teacher_forced"}) {
    std::map<std::string, std::vector<double>> by_recipe;
    for (const Json& member : members)
      by_recipe[member.value("recipe", "")].push_back(share_at(member, path));
    for (const auto& [recipe, shares] : by_recipe)
      all.push_back(
          fmt::format("{} (median of {})", format_percent(median(shares), 2), shares.size()));
  }
  return all;
}

}  // namespace

std::vector<std::string> check_reproductions(const Json& results) {
  std::vector<std::string> faults;
  const Json *rows = find_path(results, "reproductions"), *members = find_path(results, "members");
  if (results.contains("study")) return faults;  // only addition has none
  if (rows == nullptr || members == nullptr || !rows->is_array() || !members->is_array())
    return faults;
  const std::vector<std::string> known = medians(*members);
  for (std::size_t i = 0; i < rows->size(); ++i)
    for (const char* field : {"with_defect", "truth"}) {
      const std::string words = (*rows)[i].value(field, "");
      if (words.find(kMark) == std::string::npos || std::ranges::find(known, words) != known.end())
        continue;
      faults.push_back(
          fmt::format("reproductions.{}.{}: '{}' is no recipe's median, rounded half "
                      "away from zero: {}",
                      i, field, words, join(known, ", ")));
    }
  return faults;
}

}  // namespace heddle::report
