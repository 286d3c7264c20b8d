// Training steps: see works.hpp.
#include <optional>

#include "heddle/base/index.hpp"
#include "heddle/bench/work.hpp"
#include "heddle/bench/works.hpp"
#include "heddle/config/presets.hpp"
#include "heddle/model/member.hpp"
#include "heddle/train/trainer.hpp"

namespace heddle {
namespace {

Config addition_config(std::int64_t batch) {
  Config config = preset("default");
  config.train.batch = batch;
  return config;
}

double addition_operations(const Config& config) {
  return 3 * forward_operations(config.model, shape_of(config.task));
}

/// Members that share nothing: a thread, a team and a trainer each.
struct Population {
  static constexpr int kStepsACall = 8;

  Population(const Config& config, Team& threads) {
    const auto count = to_size(threads.size());
    for (std::size_t i = 0; i < count; ++i) teams.push_back(std::make_unique<Team>(1));
    members.resize(count);
    threads.run(threads.size(), [&](int i) {
      Config own = config;
      own.seed += static_cast<std::uint64_t>(i);
      const auto at = to_size(i);
      members[at] = std::make_unique<Trainer>(own, *teams[at]);
    });
  }
  void step(Team& threads) const {
    threads.run(threads.size(), [&](int i) {
      for (int n = 0; n < kStepsACall; ++n) members[to_size(i)]->step();
    });
  }

  std::vector<std::unique_ptr<Team>> teams;
  std::vector<std::unique_ptr<Trainer>> members;
};

}  // namespace

Config sortedness_bench_config(Index length) {
  Config config = preset_of_task("as-reported", "sortedness");
  config.task.source = DataSource::stream;
  config.task.lengths = fmt::format("{}-{}", length, length);
  config.model.norm = NormKind::pre;
  return config;
}

OwnedWork train_addition(std::int64_t batch, Team& team) {
  const Config config = addition_config(batch);
  auto trainer = std::make_shared<Trainer>(config, team);
  return {.work = {.name = "train addition",
                   .unit = "problems",
                   .batch = batch,
                   .operations = addition_operations(config),
                   .call = [trainer = trainer.get()] { trainer->step(); }},
          .keeps = trainer};
}

OwnedWork train_sortedness(std::int64_t batch, Team& team) {
  constexpr Index kLength = 16;
  Config config = sortedness_bench_config(kLength);
  config.train.batch = batch;
  auto trainer = std::make_shared<Trainer>(config, team);
  return {.work = {.name = fmt::format("train sortedness, length {}", kLength),
                   .unit = "sequences",
                   .batch = batch,
                   .operations = 3 * classifier_operations(config.model, kLength),
                   .call = [trainer = trainer.get()] { trainer->step(); }},
          .keeps = trainer};
}

OwnedWork train_population(std::int64_t batch, Team& team) {
  const Config config = addition_config(batch);
  auto members = std::make_shared<Population>(config, team);
  return {.work = {.name = "train addition, a member a thread",
                   .unit = "problems",
                   .batch = batch * Population::kStepsACall,
                   .members = team.size(),
                   .operations = addition_operations(config),
                   .call = [members = members.get(), &team] { members->step(team); }},
          .keeps = members};
}

}  // namespace heddle
