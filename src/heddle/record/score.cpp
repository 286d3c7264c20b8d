// See score.hpp.
#include "heddle/record/score.hpp"

#include <algorithm>

#include "heddle/base/index.hpp"

namespace heddle {

std::int64_t Score::most_given_count() const {
  std::int64_t most = 0;
  for (const LabelCount& each : by_label) most = std::max(most, each.given);
  return most;
}

double Score::share_given(std::int32_t label) const {
  return label < 0 || by_label.empty() ? most_given() : share_of(by_label[to_size(label)].given);
}

double Score::most_true() const {
  std::int64_t most = 0;
  for (const LabelCount& each : by_label) most = std::max(most, each.count.total);
  return share_of(most);
}

bool Score::constant() const {
  constexpr double kNearly = 0.99;
  return labels() && most_given() >= kNearly && most_true() < kNearly;
}

std::vector<Count> Score::counts(std::string_view key) const {
  std::vector<Count> all;
  for (const FacetScore& facet : facets)
    if (facet.key == key)
      for (const FacetRow& row : facet.rows) all.push_back(row.count);
  return all;
}

Count Score::count(std::string_view row_key) const {
  for (const FacetScore& facet : facets)
    for (const FacetRow& row : facet.rows)
      if (!row.key.empty() && row.key == row_key) return row.count;
  return {};
}

}  // namespace heddle
