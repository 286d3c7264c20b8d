// See bench_text.hpp.
#include "heddle/cli/text/bench_text.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "heddle/base/decimal.hpp"
#include "heddle/base/text.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/record/json.hpp"

namespace heddle::cli {
namespace {

Json to_json(const Spread& spread) {
  return {{"median", spread.median}, {"low", spread.low}, {"high", spread.high}};
}

Json to_json(const BenchRow& row) {
  return {{"name", row.name},
          {"unit", row.unit},
          {"threads", row.threads},
          {"batch", row.batch},
          {"members", row.members},
          {"samples_per_s", row.rate.median},
          {"slowest_samples_per_s", row.rate.low},
          {"fastest_samples_per_s", row.rate.high},
          {"nominal_operations", row.nominal},
          {"executed_operations", row.executed},
          {"gflops", row.rate.median * row.nominal * 1e-9},
          {"peak_gflops", row.peak_gflops},
          {"share_of_peak", row.share_of_peak.median},
          {"share_of_peak_low", row.share_of_peak.low},
          {"share_of_peak_high", row.share_of_peak.high}};
}

Json to_json(const std::vector<PeerRate>& rates) {
  Json list = Json::array();
  for (const PeerRate& each : rates)
    list.push_back(
        {{"name", each.name}, {"threads", each.threads}, {"samples_per_s", to_json(each.rate)}});
  return list;
}

Json to_json(const PeerDuel& duel) {
  Json ratios = Json::array();
  for (const PeerDuel::Ratio& each : duel.ratios)
    ratios.push_back({{"peer", each.peer}, {"ratio", to_json(each.ratio)}});
  return {{"name", duel.name},
          {"unit", duel.unit},
          {"batch", duel.batch},
          {"heddle", to_json(duel.ours)},
          {"peers", to_json(duel.peers)},
          {"ratios", ratios}};
}

// ── tables ──

/// Three digits that count: "2,654", "265", "2.65".
std::string short_number(double value) {
  if (value >= 1000) return format_count(static_cast<std::int64_t>(std::llround(value)));
  if (value >= 100) return fmt::format("{:.0f}", value);
  return value >= 10 ? fmt::format("{:.1f}", value) : fmt::format("{:.2f}", value);
}

std::string percent_of(const Spread& share) {
  return format_percent(share.median, 1);
}

std::string machine_text(const BenchReport& report) {
  const MachineSpeed& m = report.machine;
  const std::string all = fmt::format("{} threads", report.threads);
  Table table("lrr");
  table.add({"this machine", "1 thread", report.threads == 1 ? "" : all});
  const auto add = [&](const char* name, const Spread& one, const Spread& every) {
    table.add(
        {name, short_number(one.median), report.threads == 1 ? "" : short_number(every.median)});
  };
  add("multiply-adds, GFLOP/s", m.peak_one, m.peak_all);
  add("copying in memory, GB/s", m.memory_one, m.memory_all);
  add("copying in the cache, GB/s", m.cache_one, m.cache_all);
  return table.text();
}

/// Rows counted in operations, and those that are not.
std::string rows_text(const BenchReport& report) {
  if (report.rows.empty()) return "";  // only duels were asked for
  Table table("lrrrlrrr");
  table.add({"work", "threads", "batch", "a second", "", "slowest", "MFLOP done of", "of peak"});
  for (const BenchRow& row : report.rows) {
    const bool counted = row.nominal > 0;
    table.add(
        {row.name, std::to_string(row.threads), format_count(row.batch * row.members),
         short_number(row.rate.median), row.unit, short_number(row.rate.low),
         counted ? fmt::format("{:.3g} of {:.3g}", row.executed * 1e-6, row.nominal * 1e-6) : "",
         counted ? percent_of(row.share_of_peak) : ""});
  }
  return table.text();
}

/// How much faster many members are than one on a single thread, beside what the threads can do.
std::string population_text(const BenchReport& report) {
  const BenchRow *one = nullptr, *many = nullptr;
  for (const BenchRow& row : report.rows) {
    if (row.name != "train addition, a member a thread") continue;
    if (row.members == 1) one = &row;
    if (row.members > 1) many = &row;
  }
  if (one == nullptr || many == nullptr) return "";
  return fmt::format(
      "{} members on {} threads train {:.2f} times as fast as one on one; multiply-adds alone gain "
      "{:.2f} times.\n",
      many->members, many->threads, many->rate.median / one->rate.median,
      report.machine.peak_all.median / report.machine.peak_one.median);
}

std::string start_text(const StartTimes& start) {
  if (start.step.median == 0) return "";  // was not measured
  return fmt::format(
      "From the start of the program to its first training step: {:.1f} + {:.1f} ms; the step: "
      "{:.1f} ms.\n",
      start.program.median, start.build.median, start.step.median);
}

std::string ratio_text(const Spread& ratio) {
  return fmt::format("{:.2f} ({:.2f}–{:.2f})", ratio.median, ratio.low, ratio.high);
}

/// The best of those with that name: "1,942 on 2".
std::string best_text(const std::vector<PeerRate>& rates, const std::string& name) {
  const PeerRate* best = nullptr;
  for (const PeerRate& each : rates)
    if (each.name == name && (best == nullptr || each.rate.median > best->rate.median))
      best = &each;
  return best == nullptr ? ""
                         : fmt::format("{} on {}", short_number(best->rate.median), best->threads);
}

std::string duels_text(const PeerReport& peers) {
  Table table("lrlrrr");
  table.add({"work", "Heddle", "against", "its rate", "times as fast", ""});
  const auto with_library = [](const PeerDuel& duel) { return duel.unit == "rows"; };
  if (std::ranges::all_of(peers.duels, with_library)) return "";
  for (const PeerDuel& duel : peers.duels) {
    if (with_library(duel)) continue;
    for (const PeerDuel::Ratio& each : duel.ratios)
      table.add({fmt::format("{}, batch {}", duel.name, format_count(duel.batch)),
                 best_text(duel.ours, "Heddle"), each.peer, best_text(duel.peers, each.peer),
                 ratio_text(each.ratio), ""});
  }
  return table.text() + "  (rates a second, each on the number of threads that suits it best)\n";
}

/// Products by form: the geometric mean over shapes, and the worst of them.
std::string products_text(const PeerReport& peers) {
  struct Sum {
    double logarithms = 0, worst = HUGE_VAL;
    int count = 0;
  };
  std::map<std::pair<std::string, std::string>, Sum> sums;
  for (const PeerDuel& duel : peers.duels) {
    if (duel.unit != "rows") continue;
    for (const PeerDuel::Ratio& each : duel.ratios) {
      Sum& sum = sums[{duel.name.substr(0, duel.name.find(' ')), each.peer}];
      sum.logarithms += std::log(each.ratio.median);
      sum.worst = std::min(sum.worst, each.ratio.median);
      ++sum.count;
    }
  }
  if (sums.empty()) return "";
  Table table("llrrr");
  table.add({"product", "against", "times as fast", "worst shape", "shapes"});
  for (const auto& [key, sum] : sums)
    table.add({key.first, key.second, fmt::format("{:.2f}", std::exp(sum.logarithms / sum.count)),
               fmt::format("{:.2f}", sum.worst), std::to_string(sum.count)});
  return table.text() + "  (geometric means, 1 thread, packing of the weights included)\n";
}

}  // namespace

std::string bench_json(const BenchReport& report, const PeerReport* peers) {
  Json rows = Json::array();
  for (const BenchRow& row : report.rows) rows.push_back(to_json(row));
  const MachineSpeed& m = report.machine;
  Json json{{"machine",
             {{"isa", report.isa},
              {"cores", report.cores},
              {"threads", report.threads},
              {"peak_gflops_one", to_json(m.peak_one)},
              {"peak_gflops_all", to_json(m.peak_all)},
              {"memory_gb_s_one", to_json(m.memory_one)},
              {"memory_gb_s_all", to_json(m.memory_all)},
              {"cache_gb_s_one", to_json(m.cache_one)},
              {"cache_gb_s_all", to_json(m.cache_all)}}},
            {"version", report.version},
            {"rows", rows},
            {"start_ms",
             {{"program", to_json(report.start.program)},
              {"build", to_json(report.start.build)},
              {"step", to_json(report.start.step)}}}};
  if (peers != nullptr) {
    Json duels = Json::array();
    for (const PeerDuel& duel : peers->duels) duels.push_back(to_json(duel));
    json["peers"] = {{"versions", peers->versions}, {"duels", duels}};
  }
  return json_line(json);
}

std::string bench_text(const BenchReport& report, const PeerReport* peers) {
  std::string text = fmt::format("{}\n{}\n{}{}", machine_text(report), rows_text(report),
                                 population_text(report), start_text(report.start));
  if (peers != nullptr) {
    text += fmt::format("\n{}\n{}", duels_text(*peers), products_text(*peers));
    text += fmt::format(
        "Beside {}; medians of rounds in which each takes its turn, extremes in "
        "brackets.\n",
        join(peers->versions, ", "));
  }
  return text + fmt::format(
                    "{} on {} core{}. Medians of rounds that measure the work and the peak of "
                    "multiply-adds\nside by side; shares count the operations on paper (2 per "
                    "multiply-add of every product).\n",
                    report.isa, report.cores, report.cores == 1 ? "" : "s");
}

}  // namespace heddle::cli
