// See match.hpp.
#include "heddle/lens/specialise/match.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "heddle/base/check.hpp"
#include "heddle/base/head_name.hpp"
#include "heddle/base/rng.hpp"
#include "heddle/lens/specialise/assign.hpp"
#include "heddle/lens/stats/stats.hpp"

namespace heddle {
namespace {

constexpr std::size_t kMostPairs = 200;
constexpr int kDraws = 1000;

/// Heads first … last − 1 belong to one module.
struct Stretch {
  std::size_t first = 0, last = 0;
};
std::vector<Stretch> modules_of(const Specialisation& member) {
  std::vector<Stretch> stretches;
  for (std::size_t i = 0; i < member.roles.size(); ++i) {
    if (i == 0 || module_of(member.roles[i].head) != module_of(member.roles[i - 1].head))
      stretches.push_back({i, i});
    stretches.back().last = i + 1;
  }
  return stretches;
}

using Signature = std::map<std::string, double>;
std::vector<Signature> signatures_of(const Specialisation& member) {
  std::map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < member.roles.size(); ++i) place[member.roles[i].head] = i;
  std::vector<Signature> signatures(member.roles.size());
  for (const HeadMeasure& measure : member.measures)
    signatures[place.at(measure.head)][measure.measure] = measure.value;
  return signatures;
}

double distance(const Signature& a, const Signature& b) {
  double sum = 0;
  for (const auto& [measure, value] : a) {
    const auto found = b.find(measure);
    if (found != b.end()) sum += (value - found->second) * (value - found->second);
  }
  return sum;
}

/// A member as the comparison sees it: ranks of its effects, centred, of length 1, so that a sum of
/// products over matched heads is their rank correlation.
std::vector<double> unit_ranks(std::span<const double> effects) {
  std::vector<double> order(effects.begin(), effects.end());
  std::ranges::sort(order);
  std::vector<double> ranks;
  for (const double effect : effects) {
    const auto [first, last] = std::ranges::equal_range(order, effect);
    ranks.push_back(static_cast<double>((first - order.begin()) + (last - order.begin())));
  }
  const double mean = mean_of(ranks);
  double squares = 0;
  for (double& rank : ranks) {
    rank -= mean;
    squares += rank * rank;
  }
  for (double& rank : ranks) rank = squares > 0 ? rank / std::sqrt(squares) : 0;
  return ranks;
}

double correlation(std::span<const std::size_t> partners, std::span<const double> a,
                   std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < partners.size(); ++i) sum += a[i] * b[partners[i]];
  return sum;
}

std::vector<double> effects_of(const MemberRecord& member) {
  std::vector<double> effects;
  for (const HeadRole& head : member.specialisation.roles) {
    const auto found = std::ranges::find_if(member.ablation.heads, [&](const Effect& effect) {
      return effect.what == head.head && effect.mode == AblationMode::mean;
    });
    check(found != member.ablation.heads.end(),
          "matching: seed {} has no effect of {} in mode mean", member.seed, head.head);
    effects.push_back(found->margin_drop);
  }
  return effects;
}

struct MemberPair {
  std::size_t a = 0, b = 0;
  std::vector<std::size_t> partners;
};

std::vector<MemberPair> pairs_of(std::span<const MemberRecord> members) {
  std::vector<MemberPair> pairs;
  for (std::size_t a = 0; a < members.size(); ++a)
    for (std::size_t b = a + 1; b < members.size(); ++b) pairs.push_back({a, b, {}});
  if (pairs.size() > kMostPairs) {
    Rng(0, "match.pairs").shuffle(std::span(pairs));
    pairs.resize(kMostPairs);
  }
  for (MemberPair& pair : pairs)
    pair.partners = match_heads(members[pair.a].specialisation, members[pair.b].specialisation);
  return pairs;
}

std::vector<double> agreements(std::span<const MemberPair> pairs,
                               std::span<const std::vector<double>> ranks) {
  std::vector<double> list;
  for (const MemberPair& pair : pairs)
    list.push_back(correlation(pair.partners, ranks[pair.a], ranks[pair.b]));
  return list;
}

/// −1 … 1 where a member can not be left out.
Interval jackknife(std::span<const MemberPair> pairs, std::span<const double> agreement,
                   std::size_t members) {
  const double all = mean_of(agreement), n = static_cast<double>(members);
  std::vector<double> values;
  for (std::size_t member = 0; member < members; ++member) {
    std::vector<double> without;
    for (std::size_t i = 0; i < pairs.size(); ++i)
      if (pairs[i].a != member && pairs[i].b != member) without.push_back(agreement[i]);
    if (without.empty()) return {-1, 1};
    values.push_back(n * all - (n - 1) * mean_of(without));
  }
  const Interval interval = t_interval(values);
  return {std::max(-1.0, interval.low), std::min(1.0, interval.high)};
}

}  // namespace

std::vector<std::size_t> match_heads(const Specialisation& a, const Specialisation& b) {
  const std::vector<Signature> signs_a = signatures_of(a), signs_b = signatures_of(b);
  check(a.roles.size() == b.roles.size(), "matching: {} heads against {}", a.roles.size(),
        b.roles.size());
  std::vector<std::size_t> partners(a.roles.size());
  for (const auto& [first, last] : modules_of(a)) {
    const std::size_t n = last - first;
    std::vector<double> cost;
    for (std::size_t i = first; i < last; ++i) {
      check(module_of(a.roles[i].head) == module_of(b.roles[i].head),
            "matching: {} stands where the other has {}", a.roles[i].head, b.roles[i].head);
      for (std::size_t j = first; j < last; ++j) cost.push_back(distance(signs_a[i], signs_b[j]));
    }
    const std::vector<std::size_t> columns = cheapest_assignment(cost, n);
    for (std::size_t i = 0; i < n; ++i) partners[first + i] = first + columns[i];
  }
  return partners;
}

double agreement_of(std::span<const std::size_t> partners, std::span<const double> effects_a,
                    std::span<const double> effects_b) {
  return correlation(partners, unit_ranks(effects_a), unit_ranks(effects_b));
}

Matching match_population(std::span<const MemberRecord> members) {
  if (members.size() < 2) return {};
  std::vector<std::vector<double>> ranks;
  for (const MemberRecord& member : members) ranks.push_back(unit_ranks(effects_of(member)));
  const std::vector<MemberPair> pairs = pairs_of(members);
  const std::vector<double> agreement = agreements(pairs, ranks);
  const Interval interval = jackknife(pairs, agreement, members.size());
  Matching matching{.pairs_of_members = static_cast<std::int64_t>(pairs.size()),
                    .agreement = mean_of(agreement),
                    .low = interval.low,
                    .high = interval.high,
                    .random = 0,
                    .p = 1};
  const std::vector<Stretch> modules = modules_of(members[0].specialisation);
  int as_well = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    Rng rng(0, "match.random", static_cast<std::uint64_t>(draw));
    for (std::vector<double>& list : ranks)
      for (const auto& [first, last] : modules)
        rng.shuffle(std::span(list).subspan(first, last - first));
    const double random = mean_of(agreements(pairs, ranks));
    constexpr double kRounding = 1e-12;  // sums in another order
    as_well += random >= matching.agreement - kRounding ? 1 : 0;
    matching.random += random / kDraws;
  }
  matching.p = (1.0 + as_well) / (1.0 + kDraws);
  return matching;
}

}  // namespace heddle
