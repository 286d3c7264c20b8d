// See trainer.hpp.
#include "heddle/train/trainer.hpp"

#include <algorithm>

#include "heddle/model/checkpoint.hpp"
#include "heddle/ops/loss.hpp"

namespace heddle {

int Trainer::shard_count(Index batch) {
  constexpr Index kLarge = 256;  // from here on four shards keep activations in the cache
  if (batch >= kLarge) return 4;
  return batch >= 2 ? 2 : 1;
}

Trainer::Trainer(const Config& config, Team& team)
    : team_(&team),
      member_(make_member(config)),
      task_(config),
      optimizer_(member_.model->layout(), config.train) {
  const int shards = shard_count(config.train.batch);
  Index first = 0;
  for (int i = 0; i < shards; ++i) {
    auto shard = std::make_unique<Shard>();
    const Index end = config.train.batch * (i + 1) / shards;
    shard->first = first;
    shard->size = end - first;
    shard->run = std::make_unique<Run>(member_.weights);
    gradients_.push_back(Tensor::zeros(member_.weights.flat().shape(), DType::f32));
    shard->run->differentiate(shard->tape, gradients_.back());
    shards_.push_back(std::move(shard));
    first = end;
  }
  if (optimizer_.averages()) average_ = Weights(member_.model->layout(), optimizer_.average());
}

StepResult Trainer::step() {
  task_.train_batch(steps_done_, batch_);
  const auto bearing = std::count_if(batch_.target_out.begin(), batch_.target_out.end(),
                                     [](std::int32_t t) { return t != kNoTarget; });
  weight_ = 1.0 / static_cast<double>(std::max<std::ptrdiff_t>(bearing, 1));
  team_->run(static_cast<int>(shards_.size()),
             [&](int i) { run_shard(*shards_[static_cast<std::size_t>(i)]); });
  StepResult result;
  for (const auto& shard : shards_) result.loss += shard->loss;
  result.gradient_norm = optimizer_.update(*team_, gradients_, steps_done_, member_.weights.flat());
  repack();
  ++steps_done_;
  return result;
}

void Trainer::run_shard(Shard& shard) {
  const Index from = shard.first * batch_.source_length, to = shard.first * batch_.target_length;
  const Tokens source{
      .ids = batch_.source.data() + from, .batch = shard.size, .length = batch_.source_length};
  const Tokens target{
      .ids = batch_.target_in.data() + to, .batch = shard.size, .length = batch_.target_length};
  shard.tape.clear();
  shard.run->restart();
  Activations at;
  member_.model->encode(*shard.run, source, at);
  member_.model->decode(*shard.run, source, target, at);
  const Var loss = cross_entropy(at.logits, batch_.target_out.data() + to, weight_);
  at = {};  // what backward needs, it holds
  shard.loss = static_cast<double>(*loss.value.data<float>());
  shard.tape.backward(loss);
}

void Trainer::repack() {
  const int pieces = team_->size();
  team_->run(pieces, [&](int piece) { member_.weights.repack(piece, pieces); });
}

const Weights& Trainer::evaluated() {
  if (!optimizer_.averages()) return member_.weights;
  average_.pack();
  return average_;
}

void Trainer::start_from(const std::string& path) {
  load_weights(path, member_.weights);
  if (optimizer_.averages()) average_.copy(member_.weights);
  repack();
}

std::vector<std::pair<std::string, Tensor>> Trainer::state() {
  std::vector<std::pair<std::string, Tensor>> parts{{"weights", member_.weights.flat()},
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
