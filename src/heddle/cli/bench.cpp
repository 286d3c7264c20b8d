// heddle bench: the speed table, each row beside the machine's peak measured in the same rounds.
#include <nlohmann/json.hpp>

#include "heddle/bench/suite.hpp"
#include "heddle/cli/commands.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/record/json.hpp"

namespace heddle::cli {
namespace {

constexpr Flag kSecondsFlag{
    .name = "--seconds", .value = "N", .help = "time for each row (default 2)"};

std::string report_json(const BenchReport& report) {
  Json rows = Json::array();
  for (const BenchRow& row : report.rows)
    rows.push_back({{"name", row.name},
                    {"threads", row.threads},
                    {"batch", row.batch},
                    {"members", row.members},
                    {"samples_per_s", row.samples_per_s},
                    {"slowest_samples_per_s", row.slowest},
                    {"fastest_samples_per_s", row.fastest},
                    {"gflops", row.gflops},
                    {"peak_gflops", row.peak_gflops},
                    {"share_of_peak", row.share_of_peak}});
  return json_line({{"machine", {{"isa", report.isa}, {"cores", report.cores}}},
                    {"version", report.version},
                    {"rows", rows}});
}

std::string report_text(const BenchReport& report) {
  Table table("lrrrrrrr");
  table.add({"work", "threads", "batch", "samples/s", "slowest", "fastest", "GFLOP/s", "of peak"});
  for (const BenchRow& row : report.rows)
    table.add({row.name, std::to_string(row.threads), std::to_string(row.batch),
               fmt::format("{:.0f}", row.samples_per_s), fmt::format("{:.0f}", row.slowest),
               fmt::format("{:.0f}", row.fastest), fmt::format("{:.1f}", row.gflops),
               fmt::format("{:.1f} % of {:.0f}", 100 * row.share_of_peak, row.peak_gflops)});
  return table.text() + fmt::format(
                            "\n{} on {} core{}. Medians of rounds that measure the work and the "
                            "peak of multiply-adds\n"
                            "side by side; operations are nominal (2 per multiply-add of every "
                            "product on paper).\n",
                            report.isa, report.cores, report.cores == 1 ? "" : "s");
}

int run_bench(const Arguments& arguments, Console& console) {
  BenchOptions options;
  options.threads = thread_count(arguments);
  options.seconds_per_row = static_cast<double>(arguments.number("--seconds", 1, 600).value_or(2));
  options.measured = [&](const BenchRow& row) {
    console.note("{} · {} thread{} · batch {}: {:.0f} samples/s", row.name, row.threads,
                 row.threads == 1 ? "" : "s", row.batch, row.samples_per_s);
    stop_if_interrupted();
  };
  const BenchReport report = run_benchmarks(options);
  console.result(arguments.json() ? report_json(report) : report_text(report));
  return 0;
}

}  // namespace

Command bench_command() {
  return {.name = "bench",
          .summary = "Measures training, decoding and scoring against this machine's peak.",
          .positionals = {},
          .flags = {kSecondsFlag},
          .examples = {"bench", "bench --threads 1 --json"},
          .run = run_bench};
}

}  // namespace heddle::cli
