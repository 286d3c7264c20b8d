// Answers of a member: see works.hpp. Its weights are drawn, not trained: no time depends on them.
#include <algorithm>

#include "heddle/base/index.hpp"
#include "heddle/bench/work.hpp"
#include "heddle/bench/works.hpp"
#include "heddle/config/presets.hpp"
#include "heddle/eval/score.hpp"
#include "heddle/eval/sortedness.hpp"
#include "heddle/lens/ablate/ablate.hpp"
#include "heddle/task/addition/addition.hpp"
#include "heddle/task/sortedness/sorted_sets.hpp"

namespace heddle {
namespace {

/// A member of the tuned recipe, its task, and a batch of problems for every thread.
struct Answerer {
  static constexpr Index kBatch = 125;

  Answerer()
      : member(make_member(preset("default"))),
        task(member.config),
        batch(encoded(member, task.validation(), 0, kBatch)) {}

  double forward() const { return forward_operations(member.config.model, member.model->shape()); }
  void decode() const {
    Run run(member.weights);
    Activations at;
    const Index count = kBatch * batch.target_length;
    const Ids tokens(count);
    member.model->answer(run, batch.all(), at, {tokens.data(), to_size(count)});
  }

  Member member;
  Addition task;
  EncodedQuestions batch;
};

struct Sorter {
  static constexpr Index kTrained = 16;

  Sorter(Index length, Index count)
      : member(make_member(sortedness_bench_config(kTrained))),
        exam({.length = length, .count = count}) {}

  Member member;
  SortedExam exam;
};

}  // namespace

OwnedWork greedy_addition(Team& team) {
  auto answerer = std::make_shared<Answerer>();
  return {.work = {.name = "greedy addition",
                   .unit = "problems",
                   .batch = Answerer::kBatch * team.size(),
                   .operations = answerer->forward(),
                   .call = [answerer = answerer.get(),
                            &team] { team.run(team.size(), [&](int) { answerer->decode(); }); }},
          .keeps = answerer};
}

OwnedWork score_addition(Team& team) {
  auto answerer = std::make_shared<Answerer>();
  const Member& member = answerer->member;
  const TaskShape& shape = member.model->shape();
  const double again = decoder_operations(member.config.model, shape, shape.target_length());
  return {.work = {.name = "score addition (forced and greedy)",
                   .unit = "problems",
                   .batch = answerer->task.validation().size(),
                   .operations = answerer->forward() + again,
                   .call =
                       [answerer = answerer.get(), &team] {
                         score_questions(exam_setup(answerer->member, team), answerer->task,
                                         "validation", answerer->task.validation());
                       }},
          .keeps = answerer};
}

OwnedWork ablate_addition(Team& team) {
  auto answerer = std::make_shared<Answerer>();
  const Member& member = answerer->member;
  constexpr std::int64_t kVariants = 25;  // 24 heads, and the member with all of them
  return {.work = {.name = "24 zero ablations",
                   .unit = "answers",
                   .batch = kVariants * answerer->task.test().size(),
                   .operations = generation_operations(member.config.model, member.model->shape()),
                   .call =
                       [answerer = answerer.get(), &team] {
                         AblationOptions options;
                         options.modes = {AblationMode::zero};
                         ablate(answerer->member,
                                {.scored = answerer->task.test(),
                                 .reference = answerer->task.validation()},
                                options, team);
                       }},
          .keeps = answerer};
}

OwnedWork classify(Index length, Team& team) {
  constexpr Index kTokens = 8192;  // of one call and thread, or a pair of twins
  const Index count = 2 * std::max<Index>(1, kTokens / 2 / length) * team.size();
  auto sorter = std::make_shared<Sorter>(length, count);
  return {.work = {.name = fmt::format("classify, length {}", length),
                   .unit = "sequences",
                   .batch = count,
                   .operations = classifier_operations(sorter->member.config.model, length),
                   .call = [sorter = sorter.get(),
                            &team] { margins_of(exam_setup(sorter->member, team), sorter->exam); }},
          .keeps = sorter};
}

}  // namespace heddle
