// Answers of a member: see works.hpp. Its weights are drawn, not trained: no time depends on them.
#include <algorithm>

#include "heddle/bench/work.hpp"
#include "heddle/bench/works.hpp"
#include "heddle/config/presets.hpp"
#include "heddle/eval/addition.hpp"
#include "heddle/eval/sortedness.hpp"
#include "heddle/lens/ablate/ablate.hpp"
#include "heddle/model/seq2seq/greedy.hpp"
#include "heddle/task/sortedness/sorted_sets.hpp"

namespace heddle {
namespace {

/// A member of the tuned recipe, its task, and a batch of problems for every thread.
struct Answerer {
  static constexpr Index kBatch = 125;

  Answerer() : member(make_member(preset("default"))), task(member.config) {
    task.encoding().encode(task.validation_problems().first(kBatch), batch);
  }

  double forward() const {
    return forward_operations(member.config.model, member.seq2seq().sizes());
  }
  void decode() const {
    Run run(member.weights);
    const Tokens source{.ids = batch.source.data(), .batch = kBatch, .length = batch.source_length};
    Activations at;
    member.seq2seq().encode(run, source, at);
    const Index count = kBatch * batch.target_length;
    const Ids tokens(count);
    greedy_decode(member.seq2seq(), run,
                  {.source = source,
                   .memory = at.memory,
                   .start = task.encoding().start_token(),
                   .length = batch.target_length,
                   .tokens = {tokens.data(), static_cast<std::size_t>(count)}});
  }

  Member member;
  Addition task;
  Batch batch;
};

struct Sorter {
  static constexpr Index kTrained = 16;

  Sorter(Index length, Index count)
      : member(make_member(sortedness_bench_config(kTrained))),
        set({.length = length, .count = count}) {}

  Member member;
  SortedSet set;
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
  const SequenceSizes& sizes = member.seq2seq().sizes();
  const double again = decoder_operations(member.config.model, sizes, sizes.target_length);
  return {.work = {.name = "score addition (forced and greedy)",
                   .unit = "problems",
                   .batch = static_cast<std::int64_t>(answerer->task.validation_problems().size()),
                   .operations = answerer->forward() + again,
                   .call =
                       [answerer = answerer.get(), &team] {
                         const Member& asked = answerer->member;
                         const AdditionExam exam{.config = asked.config,
                                                 .model = asked.seq2seq(),
                                                 .weights = asked.weights,
                                                 .team = team,
                                                 .progress = {}};
                         score_problems(exam, "validation", answerer->task.validation_problems());
                       }},
          .keeps = answerer};
}

OwnedWork ablate_addition(Team& team) {
  auto answerer = std::make_shared<Answerer>();
  const Member& member = answerer->member;
  constexpr std::int64_t kVariants = 25;  // 24 heads, and the member with all of them
  return {
      .work = {.name = "24 zero ablations",
               .unit = "answers",
               .batch =
                   kVariants * static_cast<std::int64_t>(answerer->task.test_problems().size()),
               .operations = generation_operations(member.config.model, member.seq2seq().sizes()),
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
                   .call =
                       [sorter = sorter.get(), &team] {
                         const Member& asked = sorter->member;
                         margins_of({.config = asked.config,
                                     .model = asked.classifier(),
                                     .weights = asked.weights,
                                     .team = team},
                                    sorter->set);
                       }},
          .keeps = sorter};
}

}  // namespace heddle
