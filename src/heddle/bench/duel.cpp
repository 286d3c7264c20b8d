// See duel.hpp.
#include "heddle/bench/duel.hpp"

#include <algorithm>

#include "heddle/base/check.hpp"

namespace heddle {
namespace {

/// The rates of each contestant, round by round.
using Rates = std::vector<std::vector<double>>;

void take_turns(const Duel& duel, const std::vector<Contestant>& contestants, Rates& rates) {
  rates.resize(contestants.size());
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    rates[i].push_back(contestants[i].turn());
    if (duel.between) duel.between();
  }
}

std::vector<PeerRate> summarise(const std::vector<Contestant>& contestants, const Rates& rates) {
  std::vector<PeerRate> rows;
  for (std::size_t i = 0; i < contestants.size(); ++i)
    rows.push_back({contestants[i].name, contestants[i].threads, spread_of(rates[i])});
  return rows;
}

/// Of those with that name, the one whose median is best.
std::size_t best_of(const std::vector<PeerRate>& rows, const std::string& name) {
  std::size_t best = rows.size();
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].name == name &&
        (best == rows.size() || rows[i].rate.median > rows[best].rate.median))
      best = i;
  return best;
}

}  // namespace

PeerDuel run_duel(const Duel& duel) {
  check<UsageError>(!duel.ours.empty() && duel.rounds > 0, "{}: nobody takes part", duel.name);
  Rates our_rates, peer_rates;
  for (int round = 0; round < duel.rounds; ++round) {
    take_turns(duel, duel.ours, our_rates);
    take_turns(duel, duel.peers, peer_rates);
  }
  PeerDuel result{.name = duel.name,
                  .unit = duel.unit,
                  .batch = duel.batch,
                  .ours = summarise(duel.ours, our_rates),
                  .peers = summarise(duel.peers, peer_rates),
                  .ratios = {}};
  const std::size_t own = best_of(result.ours, duel.ours.front().name);
  for (const PeerRate& each : result.peers) {
    const auto known = [&](const PeerDuel::Ratio& ratio) { return ratio.peer == each.name; };
    if (std::ranges::any_of(result.ratios, known)) continue;
    const std::size_t peer = best_of(result.peers, each.name);
    std::vector<double> ratios;
    for (std::size_t round = 0; round < our_rates[own].size(); ++round)
      ratios.push_back(our_rates[own][round] / peer_rates[peer][round]);
    result.ratios.push_back({each.name, spread_of(ratios)});
  }
  return result;
}

}  // namespace heddle
