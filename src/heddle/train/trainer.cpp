// See trainer.hpp.
#include "heddle/train/trainer.hpp"

#include "heddle/base/index.hpp"
#include "heddle/model/checkpoint.hpp"

namespace heddle {

int Trainer::shard_count(Index batch) {
  constexpr Index kLarge = 256;  // from here on four shards keep activations in the cache
  if (batch >= kLarge) return 4;
  return batch >= 2 ? 2 : 1;
}

Trainer::Trainer(const Config& config, Team& team)
    : team_(&team),
      config_(config),
      learner_(config),
      weights_(learner_.layout(), DType::f32),
      optimizer_(learner_.layout(), config.train) {
  weights_.initialise(config.seed);
  weights_.pack();
  const int shards = shard_count(config.train.batch);
  Index first = 0;
  for (int i = 0; i < shards; ++i) {
    auto shard = std::make_unique<Shard>();
    const Index end = config.train.batch * (i + 1) / shards;
    shard->first = first;
    shard->size = end - first;
    shard->run = std::make_unique<Run>(weights_);
    gradients_.push_back(Tensor::zeros(weights_.flat().shape(), DType::f32));
    shard->run->differentiate(shard->tape, gradients_.back());
    shards_.push_back(std::move(shard));
    first = end;
  }
  if (optimizer_.averages()) average_ = Weights(learner_.layout(), optimizer_.average());
}

StepResult Trainer::step() {
  learner_.draw(steps_done_);
  team_->run(static_cast<int>(shards_.size()), [&](int i) { run_shard(*shards_[to_size(i)]); });
  StepResult result;
  for (const auto& shard : shards_) result.loss += shard->loss;
  result.gradient_norm = optimizer_.update(*team_, gradients_, steps_done_, weights_);
  ++steps_done_;
  return result;
}

void Trainer::run_shard(Shard& shard) {
  shard.tape.clear();
  shard.run->restart();
  const Var loss = learner_.loss(*shard.run, shard.first, shard.size);
  shard.loss = static_cast<double>(*loss.value.data<float>());
  shard.tape.backward(loss);
}

void Trainer::repack() {
  const int pieces = team_->size();
  team_->run(pieces, [&](int piece) { weights_.repack(piece, pieces); });
}

const Weights& Trainer::evaluated() {
  if (!optimizer_.averages()) return weights_;
  average_.pack();
  return average_;
}

void Trainer::start_from(const std::string& path) {
  load_weights(path, weights_);
  if (optimizer_.averages()) average_.copy(weights_);
  repack();
}

std::vector<std::pair<std::string, Tensor>> Trainer::state() {
  std::vector<std::pair<std::string, Tensor>> parts{{"weights", weights_.flat()},
                                                    {"first_moment", optimizer_.first_moment()},
                                                    {"second_moment", optimizer_.second_moment()}};
  if (optimizer_.averages()) parts.emplace_back("average", optimizer_.average());
  return parts;
}

void Trainer::resume_at(long steps_done) {
  steps_done_ = steps_done;
  repack();
}

}  // namespace heddle
