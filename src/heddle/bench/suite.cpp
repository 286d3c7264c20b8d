// See suite.hpp.
#include "heddle/bench/suite.hpp"

#include "heddle/base/version.hpp"
#include "heddle/bench/measure.hpp"
#include "heddle/bench/work.hpp"
#include "heddle/config/presets.hpp"
#include "heddle/eval/addition.hpp"
#include "heddle/kernels/isa.hpp"
#include "heddle/model/greedy.hpp"
#include "heddle/train/trainer.hpp"

namespace heddle {
namespace {

Config with_batch(std::int64_t batch) {
  Config config = preset("default");
  config.train.batch = batch;
  return config;
}

BenchRow bench_training(std::int64_t batch, Team& team, double seconds) {
  Trainer trainer(with_batch(batch), team);
  const Config& config = trainer.config();
  const double forward = forward_operations(config.model, build_model(config)->sizes());
  return measure({.name = "train addition",
                  .batch = batch,
                  .operations = 3 * forward,
                  .call = [&] { trainer.step(); }},
                 team, seconds);
}

/// Greedy decoding with cached keys and values: the operations of one forward pass, since every
/// position passes once.
BenchRow bench_greedy(Team& team, double seconds) {
  constexpr Index kBatch = 250;
  const Member member = make_member(preset("default"));
  const Addition task(member.config);
  Batch batch;
  task.encoding().encode(task.validation().first(kBatch), batch);
  const auto pieces = team.size();
  const auto decode = [&](int) {
    Run run(member.weights);
    const Tokens source{.ids = batch.source.data(), .batch = kBatch, .length = batch.source_length};
    Activations at;
    member.model->encode(run, source, at);
    const Ids tokens(kBatch * batch.target_length);
    greedy_decode(
        *member.model, run,
        {.source = source,
         .memory = at.memory,
         .start = task.encoding().start_token(),
         .length = batch.target_length,
         .tokens = {tokens.data(), static_cast<std::size_t>(kBatch * batch.target_length)}});
  };
  return measure({.name = "greedy addition",
                  .batch = kBatch * pieces,
                  .operations = forward_operations(member.config.model, member.model->sizes()),
                  .call = [&] { team.run(pieces, decode); }},
                 team, seconds);
}

/// Scoring as the census does it: one encoding, one forced and one greedy decoding of each problem.
BenchRow bench_scoring(Team& team, double seconds) {
  const Member member = make_member(preset("default"));
  const Addition task(member.config);
  const AdditionExam exam{.config = member.config,
                          .model = *member.model,
                          .weights = member.weights,
                          .team = team,
                          .progress = {}};
  ModelConfig decoder = member.config.model;
  decoder.encoder_layers = 0;
  const double operations = forward_operations(member.config.model, member.model->sizes()) +
                            forward_operations(decoder, member.model->sizes());
  return measure({.name = "score addition",
                  .batch = static_cast<std::int64_t>(task.validation().size()),
                  .operations = operations,
                  .call = [&] { score_problems(exam, "validation", task.validation()); }},
                 team, seconds);
}

}  // namespace

BenchReport run_benchmarks(const BenchOptions& options) {
  BenchReport report{.isa = std::string(kernels::isa()),
                     .version = std::string(kVersion),
                     .cores = core_count(),
                     .rows = {}};
  const auto add = [&](BenchRow row) {
    if (options.measured) options.measured(row);
    report.rows.push_back(std::move(row));
  };
  for (const int threads : {1, options.threads}) {
    if (threads == 1 && !report.rows.empty()) break;  // one thread was asked for
    Team team(threads);
    for (const std::int64_t batch : {32, 64, 128, 256})
      add(bench_training(batch, team, options.seconds_per_row));
    add(bench_greedy(team, options.seconds_per_row));
    add(bench_scoring(team, options.seconds_per_row));
  }
  return report;
}

}  // namespace heddle
