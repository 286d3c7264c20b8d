// Training problems by step, without state.
#include "heddle/task/addition/addition.hpp"

#include <algorithm>

#include "heddle/base/hash.hpp"
#include "heddle/base/index.hpp"
#include "heddle/base/rng.hpp"
#include "heddle/task/addition/carry_balance.hpp"
#include "heddle/task/addition/words.hpp"

namespace heddle {

namespace {

void add_problems(Hash& hash, std::string_view name, std::span<const Problem> problems) {
  hash.add(name).add(std::uint64_t{problems.size()});
  for (const Problem& problem : problems) {
    const auto digits = to_size(problem.digits);
    hash.bytes(std::span(problem.a).first(digits)).bytes(std::span(problem.b).first(digits));
  }
}

SplitMakeup shares_of(std::string split, const Makeup& makeup) {
  SplitMakeup shares{.split = std::move(split),
                     .count = makeup.count,
                     .by_carries = {},
                     .cascades = makeup.share(makeup.cascades),
                     .double_cascades = makeup.share(makeup.double_cascades),
                     .top_carries = makeup.share(makeup.top_carries)};
  for (const Index count : makeup.by_carries) shares.by_carries.push_back(makeup.share(count));
  return shares;
}

}  // namespace

Addition::Addition(const Config& config)
    : Task(config),
      task_(config.task),
      steps_(config.train.steps),
      encoding_(config.task),
      splits_(draw_splits(config.task, config.seed)) {
  for (const Problem& problem : splits_.validation) held_out_.insert(problem);
  for (const Problem& problem : splits_.test) held_out_.insert(problem);
  for (const Problem& problem : splits_.validation) add_problem(problem, validation_);
  for (const Problem& problem : splits_.test) add_problem(problem, test_);
  traits_.questions = "problems";
  traits_.words = "digits";
  traits_.accepts_answers = false;
  traits_.answer_sign = "=";
  traits_.between_inputs = ',';  // a problem has none
  traits_.example_input = "374+814";
  traits_.example_pair = "374+814,375+814";
  traits_.free_words = kPlus;  // the digits
  traits_.passes.loss_block = 250;
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
    Rng rng(seed(), "data.train", static_cast<std::uint64_t>(step));
    const double balance = carry_balance(step);
    for (Index row = 0; row < batch(); ++row) use(row, draw(rng, balance));
    return;
  }
  epoch_places(step, train_size(),
               [&](Index row, Index place) { use(row, splits_.train[to_size(place)]); });
}

void Addition::train_problems(Index step, std::vector<Problem>& out) const {
  out.resize(to_size(batch()));
  draw_step(step, [&](Index row, const Problem& problem) { out[to_size(row)] = problem; });
}

void Addition::train_questions(Index step, Questions& out) const {
  out.make_even(batch(), shape().longest_input, shape().longest_output);
  draw_step(step, [&](Index row, const Problem& problem) {
    write_problem(problem, out.input_row(row), out.output_row(row));
  });
}

void Addition::train_batch(Index step, Batch& batch) const {
  batch.resize(Task::batch(), encoding_.source_length(), encoding_.target_length());
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

std::vector<SplitMakeup> Addition::makeup() const {
  return {shares_of("train", train_makeup()),
          shares_of("validation", makeup_of(splits_.validation, digits())),
          shares_of("test", makeup_of(splits_.test, digits()))};
}

std::vector<std::string> Addition::notes() const {
  if (splits_.note.empty()) return {};
  return {splits_.note};
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
