// Checks of a run's data: inputs in two splits, commuted twins, inputs with two answers.
#include <algorithm>
#include <map>

#include "heddle/base/index.hpp"
#include "heddle/base/text.hpp"
#include "heddle/lens/audit/inputs.hpp"

namespace heddle {
namespace {

/// Which of the asked questions training has met, and what that does to the score.
struct SeenInTraining {
  std::vector<std::uint8_t> rows;  ///< [asked question] 1: met
  Count met, fresh;                ///< right answers

  explicit SeenInTraining(Index size) : rows(to_size(size)) {}
  void count(const AuditAnswers& answers) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      (rows[i] != 0 ? met : fresh).add(answers.right[i] != 0);
  }
  /// The others score so much less that the whole score cannot be theirs.
  bool matters() const {
    const Count all{met.correct + fresh.correct, met.total + fresh.total};
    constexpr double kSlack = 1e-12;  // of the arithmetic, where all are right
    return fresh.total == 0 || all.share() > wilson(fresh).high + kSlack;
  }
  void add_to(std::vector<AuditEvidence>& evidence) const {
    evidence.push_back({"right among those met", count_text(met.correct, met.total)});
    evidence.push_back({"right among the others", count_text(fresh.correct, fresh.total)});
  }
};

std::string looked_at(const AuditData& data) {
  if (data.drawn == 0) return format_count(data.train.size());
  return fmt::format("{} of {} drawn", format_count(data.train.size()), format_count(data.drawn));
}

/// Calls found(i) for each example of `split` whose input stands in training or, of the test, in
/// validation too.
template <class Found>
Index count_met(const AuditInputs& inputs, Split split, Split other, Found&& found) {
  Index count = 0;
  for (Index i = 0; i < inputs.list(split).size(); ++i) {
    const Index there = inputs.find(other, inputs.list(split)[i].input);
    if (there < 0) continue;
    ++count;
    found(i, there);
  }
  return count;
}

AuditCheck leaks(const AuditSubject& s, const AuditInputs& inputs) {
  AuditCheck check{.name = "split leaks"};
  const Task& task = s.task();
  SeenInTraining met(s.asked.size);
  std::string example;
  const auto none = [](Index, Index) {};
  const Index in_test = count_met(inputs, Split::test, Split::train, [&](Index i, Index) {
    if (i < s.asked.size) met.rows[to_size(i)] = 1;
    if (example.empty()) example = task.text(task.test()[i].input);
  });
  const Index in_validation = count_met(inputs, Split::validation, Split::train, none);
  const Index both = count_met(inputs, Split::test, Split::validation, [&](Index i, Index) {
    if (example.empty()) example = task.text(task.test()[i].input);
  });
  met.count(*s.answers);
  check.evidence = {
      {"test inputs that also train", count_text(in_test, task.test().size())},
      {"validation inputs that also train", count_text(in_validation, task.validation().size())},
      {"test inputs that also validate", count_text(both, task.test().size())},
      {"training examples looked at", looked_at(*s.data)}};
  check.finding = fmt::format("{} test inputs also train", count_text(in_test, task.test().size()));
  if (in_test + in_validation + both == 0) return check;
  check.evidence.push_back({"example", example});
  met.add_to(check.evidence);
  if (task.traits().may_repeat_training && !met.matters()) {
    check.finding += ", met by chance: without them the score is the same";
    return check;
  }
  check.verdict = AuditCheck::kFail;
  check.meaning = "what was learned by heart counts as understood";
  check.advice = "give equal inputs the same split, or leave the split to Heddle";
  return check;
}

/// Pairs of commuted inputs anywhere in the data, and how many of them have the same answer.
Count agreeing_twins(const AuditInputs& inputs, const OperandSwap& operands) {
  Count agreeing;
  for (const Split split : {Split::train, Split::validation, Split::test})
    for (Index i = 0; i < inputs.list(split).size(); ++i) {
      const Question example = inputs.list(split)[i];
      const auto twin = operands.twin(example.input);
      if (!twin) continue;
      for (const Split other : {Split::train, Split::validation, Split::test}) {
        const Index there = inputs.find(other, *twin);
        if (there < 0) continue;
        agreeing.add(std::ranges::equal(inputs.list(other)[there].output, example.output));
        break;
      }
    }
  return agreeing;
}

AuditCheck twins(const AuditSubject& s, const AuditInputs& inputs) {
  constexpr double kAlways = 0.99;
  AuditCheck check{.name = "commuted twins"};
  const Task& task = s.task();
  const OperandSwap operands(inputs);
  if (!operands.two_operands()) return not_applicable(check.name, "inputs are not two operands");
  const Count agreeing = agreeing_twins(inputs, operands);
  if (agreeing.total > 0 && agreeing.share() < kAlways)
    return not_applicable(check.name,
                          fmt::format("order matters: of the inputs whose twin is there too, {} "
                                      "have the same answer",
                                      count_text(agreeing.correct, agreeing.total)));
  SeenInTraining met(s.asked.size);
  Index count = 0;
  for (Index i = 0; i < task.test().size(); ++i) {
    const auto twin = operands.twin(task.test()[i].input);
    if (!twin || inputs.find(Split::train, *twin) < 0) continue;
    if (count++ == 0)
      check.evidence.push_back(
          {"example", fmt::format("{} is asked, {} trains", task.text(task.test()[i].input),
                                  task.text(*twin))});
    if (i < s.asked.size) met.rows[to_size(i)] = 1;
  }
  met.count(*s.answers);
  check.finding =
      fmt::format("the twin of {} test inputs trains", count_text(count, task.test().size()));
  check.evidence.push_back({"training examples looked at", looked_at(*s.data)});
  if (count == 0) return check;
  met.add_to(check.evidence);
  check.verdict = AuditCheck::kFail;
  check.meaning =
      "a model that has learned its answers by heart, and that order does not matter, "
      "is taken for one that can work them out";
  check.advice = "keep a + b and b + a in the same split";
  return check;
}

AuditCheck contradictions(const AuditSubject& s, const AuditInputs& inputs) {
  AuditCheck check{.name = "contradictions"};
  Index count = 0, best = 0, all = 0;
  inputs.each_group([&](std::span<const InputEntry> group) {
    const Question first = inputs.at(group.front());
    const auto other = std::ranges::find_if(group, [&](const InputEntry& entry) {
      return std::ranges::equal(inputs.at(entry).input, first.input) &&
             !std::ranges::equal(inputs.at(entry).output, first.output);
    });
    if (other == group.end()) return;
    if (count++ == 0)
      check.evidence.push_back(
          {"example",
           fmt::format("{} → {} and → {}", s.task().text(first.input), right_text(s.task(), first),
                       right_text(s.task(), inputs.at(*other)))});
    std::map<std::vector<std::int32_t>, Index> answers;
    Index most = 0;
    for (const InputEntry& entry : group) {
      const auto output = inputs.at(entry).output;
      most = std::max(most, ++answers[{output.begin(), output.end()}]);
    }
    best += most;
    all += std::ssize(group);
  });
  check.finding = fmt::format("{} inputs have more than one answer", format_count(count));
  if (count == 0) return check;
  check.evidence.push_back({"examples with such inputs", format_count(all)});
  check.evidence.push_back({"of which a function can get right at most", format_count(best)});
  check.verdict = AuditCheck::kFail;
  check.meaning = "no model can get them all right: they bound the accuracy below 100 %";
  check.advice = "correct these examples, or leave them out of the test";
  return check;
}

}  // namespace

void audit_data(const AuditSubject& s, AuditChecks& checks) {
  if (s.data == nullptr) {
    for (const char* name : {"split leaks", "commuted twins", "contradictions"})
      checks.push_back(could_not_tell(name, s.no_data));
    return;
  }
  const AuditInputs inputs(*s.data);
  checks.push_back(leaks(s, inputs));
  checks.push_back(twins(s, inputs));
  checks.push_back(contradictions(s, inputs));
}

}  // namespace heddle
