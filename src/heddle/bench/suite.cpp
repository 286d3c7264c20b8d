// See suite.hpp.
#include "heddle/bench/suite.hpp"

#include <set>

#include "heddle/base/check.hpp"
#include "heddle/base/version.hpp"
#include "heddle/bench/machine_speed.hpp"
#include "heddle/bench/works.hpp"
#include "heddle/kernels/isa.hpp"

namespace heddle {
namespace {

constexpr double kKernelShare = 0.2;  // of a row's time: a kernel settles soon

/// Measures rows into a report, one after another.
class Suite {
 public:
  Suite(const BenchOptions& options, BenchReport& report) : options_(options), report_(report) {}

  void kernels(Team& team) {
    for (const OwnedWork& each : product_works()) add(each, team, kKernelShare);
    for (const OwnedWork& each : kernel_works()) add(each, team, kKernelShare);
  }
  void steps(Team& team) {
    for (const std::int64_t batch : {32, 64, 128, 256}) add(train_addition(batch, team), team);
    add(train_sortedness(kBatch, team), team);
    add(train_population(kBatch, team), team);
  }
  void answers(Team& team) {
    constexpr Index kFar = 256, kFarthest = 4096;
    add(greedy_addition(team), team);
    add(score_addition(team), team);
    add(ablate_addition(team), team);
    add(classify(kFar, team), team);
    add(classify(kFarthest, team), team);
  }

 private:
  static constexpr std::int64_t kBatch = 64;

  void add(const OwnedWork& each, Team& team, double share = 1) {
    if (each.work.name.find(options_.only) == std::string::npos) return;
    report_.rows.push_back(measure(each.work, team, share * options_.seconds_per_row));
    if (options_.measured) options_.measured(report_.rows.back());
  }

  const BenchOptions& options_;
  BenchReport& report_;
};

}  // namespace

BenchReport run_benchmarks(const BenchOptions& options) {
  BenchReport report;
  report.isa = std::string(kernels::isa());
  report.version = std::string(kVersion);
  report.cores = core_count();
  report.threads = options.threads;
  report.machine = measure_machine_speed(options.threads);
  Suite suite(options, report);
  for (const int threads : std::set{1, options.threads}) {
    Team team(threads);
    if (threads == 1) suite.kernels(team);
    suite.steps(team);
    suite.answers(team);
  }
  check<UsageError>(!report.rows.empty() || options.duels_found,
                    "no row is named like '{}'; such names are 'train', 'greedy', 'attention', "
                    "'x·W'; with --peers also 'products'",
                    options.only);
  if (options.only.empty() && !options.program.empty())
    report.start = measure_start(options.program);
  return report;
}

}  // namespace heddle
