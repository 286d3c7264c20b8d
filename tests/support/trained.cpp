// See trained.hpp.
#include "tests/support/trained.hpp"

#include <gtest/gtest.h>

#include "heddle/base/file.hpp"
#include "heddle/train/loop.hpp"
#include "heddle/train/trainer.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle::testing {

std::vector<Tensor> trained(const Config& config, int threads, int steps) {
  Team team(threads);
  Trainer trainer(config, team);
  for (int i = 0; i < steps; ++i) trainer.step();
  std::vector<Tensor> parts;
  for (const auto& [name, tensor] : trainer.state())
    parts.push_back(converted(tensor, tensor.dtype()));
  return parts;
}

void expect_same(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(same_bits(a[i], b[i])) << "buffer " << i;
}

void expect_stops_unseen(const Config& config) {
  const TempFolder whole, parts;
  Team team(2);
  EXPECT_EQ(train_run(config, whole.path(), team, {}), TrainOutcome::finished);
  int stops = 0;
  std::int64_t at = 0;
  const TrainObserver observer{.started = {},
                               .stepped = [&](const TrainProgress& p) { at = p.step; },
                               .validated = {},
                               .warned = {},
                               .stop = [&] { return at % 3 == 0; },
                               .snapshots = {}};
  while (train_run(config, parts.path(), team, observer) == TrainOutcome::stopped) ++stops;
  EXPECT_GE(stops, 4);
  for (const char* file : {"model.safetensors", "last.safetensors"})
    EXPECT_EQ(read_file(parts / file), read_file(whole / file)) << file;
  EXPECT_EQ(train_run(config, parts.path(), team, {}), TrainOutcome::was_finished);
}

}  // namespace heddle::testing
