// heddle bench: the speed table, each row beside the machine's peak measured in the same rounds.
#include <filesystem>

#include "heddle/bench/peers.hpp"
#include "heddle/bench/suite.hpp"
#include "heddle/cli/commands.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/cli/text/bench_text.hpp"

namespace heddle::cli {
namespace {

constexpr Flag kSecondsFlag{
    .name = "--seconds", .value = "N", .help = "time for each row (default 2)"};
constexpr Flag kOnlyFlag{
    .name = "--only",
    .value = "TEXT",
    .help = "only rows and duels whose names hold this text; products: those with libraries"};
constexpr Flag kPeersFlag{.name = "--peers",
                          .value = "",
                          .help = "also against PyTorch, OpenBLAS and oneDNN, turn by turn"};

/// The program's own file; empty where the system does not tell.
std::string own_program() {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "" : path.string();
}

PeerReport ask_peers(const BenchOptions& bench, Console& console) {
  const std::string program = own_program();
  PeerOptions options;
  options.threads = bench.threads;
  options.seconds = bench.seconds_per_row / 2;
  options.folder = find_peers({".", program.empty() ? "." : program});
  options.only = bench.only;
  options.told = [&](const std::string& line) {
    stop_if_interrupted();
    if (!line.empty()) console.note("against peers: {}", line);
  };
  return run_peers(options);
}

int run_bench(const Arguments& arguments, Console& console) {
  BenchOptions options;
  options.threads = thread_count(arguments);
  options.seconds_per_row = static_cast<double>(arguments.number("--seconds", 1, 600).value_or(2));
  options.only = arguments.value("--only").value_or("");
  options.program = own_program();
  options.measured = [&](const BenchRow& row) {
    console.note("{} · {} thread{} · batch {}: {:.0f} {}/s", row.name, row.threads,
                 row.threads == 1 ? "" : "s", row.batch, row.rate.median, row.unit);
    stop_if_interrupted();
  };
  std::optional<PeerReport> peers;
  if (arguments.has("--peers")) {
    peers = ask_peers(options, console);  // what is missing is told soon
    options.duels_found = !peers->duels.empty();
  }
  const BenchReport report = run_benchmarks(options);
  const PeerReport* others = peers ? &*peers : nullptr;
  console.result(arguments.json() ? bench_json(report, others) : bench_text(report, others));
  return 0;
}

}  // namespace

Command bench_command() {
  return {.name = "bench",
          .summary = "Measures kernels, training and answers against this machine's peak.",
          .positionals = {},
          .flags = {kSecondsFlag, kOnlyFlag, kPeersFlag},
          .examples = {"bench", "bench --only train --json", "bench --peers"},
          .run = run_bench};
}

}  // namespace heddle::cli
