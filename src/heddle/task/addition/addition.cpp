// Training problems by step, without state.
#include "heddle/task/addition/addition.hpp"

#include <algorithm>

#include "heddle/base/hash.hpp"
#include "heddle/base/rng.hpp"
#include "heddle/task/addition/carry_balance.hpp"

namespace heddle {

namespace {

void add_problems(Hash& hash, std::string_view name, std::span<const Problem> problems) {
  hash.add(name).add(std::uint64_t{problems.size()});
  for (const Problem& problem : problems) {
    const auto digits = static_cast<std::size_t>(problem.digits);
    hash.bytes(std::span(problem.a).first(digits)).bytes(std::span(problem.b).first(digits));
  }
}

}  // namespace

Addition::Addition(const Config& config)
    : task_(config.task),
      seed_(config.seed),
      batch_(config.train.batch),
      steps_(config.train.steps),
      encoding_(config.task),
      splits_(draw_splits(config.task, config.seed)) {
  for (const Problem& problem : splits_.validation) held_out_.insert(problem);
  for (const Problem& problem : splits_.test) held_out_.insert(problem);
}

double Addition::carry_balance(Index step) const {
  if (task_.carry_fade == 0) return task_.carry_balance;
  const double done = static_cast<double>(step) / (task_.carry_fade * static_cast<double>(steps_));
  return task_.carry_balance * std::max(0.0, 1 - done);
}

Problem Addition::draw(Rng& rng, double balance) const {
  for (;;) {
    const bool balanced = rng.uniform() < balance;
    const Problem problem =
        balanced ? draw_carry_balanced(rng, digits()) : draw_uniform(rng, digits());
    if (!held_out_.contains(problem)) return problem;
  }
}

/// Calls use(row, problem) for every problem of the step.
template <class Use>
void Addition::draw_step(Index step, Use&& use) const {
  if (task_.source == DataSource::stream) {
    Rng rng(seed_, "data.train", static_cast<std::uint64_t>(step));
    const double balance = carry_balance(step);
    for (Index row = 0; row < batch_; ++row) use(row, draw(rng, balance));
    return;
  }
  // The epochs, each in an order of its own, one after the other; a batch may span two.
  const auto size = static_cast<Index>(splits_.train.size());
  for (Index row = 0; row < batch_;) {
    const Index epoch = (step * batch_ + row) / size;
    const Permutation order(Rng(seed_, "data.epoch", static_cast<std::uint64_t>(epoch)),
                            static_cast<std::uint64_t>(size));
    const Index end = std::min(batch_, (epoch + 1) * size - step * batch_);
    for (; row < end; ++row) {
      const Index place = (step * batch_ + row) % size;
      use(row, splits_.train[order(static_cast<std::uint64_t>(place))]);
    }
  }
}

void Addition::train_problems(Index step, std::vector<Problem>& out) const {
  out.resize(static_cast<std::size_t>(batch_));
  draw_step(step, [&](Index row, const Problem& problem) {
    out[static_cast<std::size_t>(row)] = problem;
  });
}

void Addition::train_batch(Index step, Batch& batch) const {
  batch.resize(batch_, encoding_.source_length(), encoding_.target_length());
  draw_step(step,
            [&](Index row, const Problem& problem) { encoding_.encode_row(problem, batch, row); });
}

Makeup Addition::train_makeup() const {
  if (task_.source == DataSource::fixed) return makeup_of(splits_.train, digits());
  Makeup makeup(digits());
  std::vector<Problem> problems;
  for (Index step = 0; makeup.count < Splits::kTrain; ++step) {
    train_problems(step, problems);
    for (const Problem& problem : problems)
      if (makeup.count < Splits::kTrain) makeup.add(problem);
  }
  return makeup;
}

std::string Addition::data_hash() const {
  Hash hash;
  std::vector<Problem> first;
  if (task_.source == DataSource::stream) train_problems(0, first);
  add_problems(hash, "train", task_.source == DataSource::stream ? first : splits_.train);
  add_problems(hash, "validation", splits_.validation);
  add_problems(hash, "test", splits_.test);
  return hash.hex();
}

}  // namespace heddle
