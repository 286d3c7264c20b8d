// See example_report.hpp.
#include "heddle/task/file/example_report.hpp"

#include <algorithm>

#include "heddle/base/index.hpp"
#include "heddle/base/text.hpp"
#include "heddle/task/file/input_groups.hpp"

namespace heddle {
namespace {

constexpr auto kTrain = to_size(Split::train);

std::size_t place_of(Split split) {
  return to_size(split);
}

/// Keeps the pair that a reader of the file would come to first.
void note(Occurrences& occurrences, const ExampleSet& set, Index earlier, Index later) {
  if (occurrences.second_line > 0 && occurrences.second_line <= set.line(later)) return;
  occurrences.first_line = set.line(earlier);
  occurrences.second_line = set.line(later);
}

/// The earliest example of the group that `differs` from its earliest; −1 where none does.
template <class Differs>
Index earliest_other(std::span<const std::int32_t> group, Index earliest, Differs differs) {
  Index found = -1;
  for (const std::int32_t i : group)
    if (differs(earliest, i) && (found < 0 || i < found)) found = i;
  return found;
}

void add_duplicates(std::span<const std::int32_t> group, const ExampleSet& set,
                    ExampleReport& report) {
  std::int32_t first = group.front();  // of those with the same answer
  for (const std::int32_t i : group.subspan(1)) {
    if (!same_answer(set, first, i)) {
      first = i;
      continue;
    }
    ++report.duplicates.count;
    note(report.duplicates, set, first, i);
  }
}

void add_group(std::span<const std::int32_t> group, const ExampleSet& set, ExampleReport& report) {
  if (group.size() == 1) return;
  add_duplicates(group, set, report);
  const Index first = *std::ranges::min_element(group);
  const Index answers =
      earliest_other(group, first, [&](Index a, Index b) { return !same_answer(set, a, b); });
  if (answers >= 0) {
    ++report.contradictions.count;
    note(report.contradictions, set, first, answers);
  }
  const Index splits =
      earliest_other(group, first, [&](Index a, Index b) { return set.split(a) != set.split(b); });
  if (splits < 0) return;
  ++report.leaks.count;
  note(report.leaks, set, first, splits);
  const auto trains = [&](std::int32_t i) { return set.split(i) == Split::train; };
  if (std::ranges::none_of(group, trains)) return;
  for (const std::int32_t i : group)
    if (!trains(i)) ++report.leaked_examples[place_of(set.split(i))];
}

template <class LengthOf>
Lengths lengths_of(const ExampleSet& set, LengthOf length_of) {
  std::vector<Index> counts(ExampleLimits::kLength + 1, 0);
  for (Index i = 0; i < set.size(); ++i) ++counts[length_of(i)];
  Lengths lengths;
  Index before = 0;
  for (std::size_t length = 0; length < counts.size(); ++length) {
    if (counts[length] == 0) continue;
    const auto here = static_cast<Index>(length);
    if (before == 0) lengths.shortest = here;
    if (2 * before < set.size()) lengths.median = here;
    lengths.longest = here;
    before += counts[length];
  }
  return lengths;
}

/// Counts, per split, what each example's answer is or begins with.
std::vector<std::array<Index, kSplits>> answer_counts(const ExampleSet& set) {
  const bool pairs = set.form == ExampleForm::pairs;
  const std::int32_t answers = pairs ? set.tokens.size() : set.labels.size();
  std::vector<std::array<Index, kSplits>> counts(to_size(answers));
  for (Index i = 0; i < set.size(); ++i)
    ++counts[to_size(pairs ? set.output(i).front() : set.label(i))][place_of(set.split(i))];
  return counts;
}

void add_majority(const ExampleSet& set, const std::vector<std::array<Index, kSplits>>& counts,
                  ExampleReport& report) {
  const auto most = std::ranges::max_element(
      counts, [](const auto& a, const auto& b) { return a[kTrain] < b[kTrain]; });
  const auto id = static_cast<std::int32_t>(most - counts.begin());
  report.majority = set.form == ExampleForm::pairs ? set.tokens.text(id) : set.labels.text(id);
  for (std::size_t split = 0; split < kSplits; ++split)
    if (report.split_sizes[split] > 0)
      report.majority_share[split] =
          static_cast<double>((*most)[split]) / static_cast<double>(report.split_sizes[split]);
}

}  // namespace

ExampleReport report_of(const ExampleSet& set) {
  ExampleReport report;
  report.form = set.form;
  report.hash = content_hash(set);
  report.examples = set.size();
  report.tokens = set.tokens.size();
  report.own_splits = set.own_splits;
  report.moved_to_training = set.moved_to_training;
  for (std::size_t split = 0; split < kSplits; ++split)
    report.split_sizes[split] = static_cast<Index>(set.members[split].size());
  const InputGroups groups(set, 0);
  report.inputs = groups.size();
  for (Index group = 0; group < groups.size(); ++group) add_group(groups[group], set, report);
  report.input_lengths = lengths_of(set, [&](Index i) { return set.input(i).size(); });
  report.output_lengths = lengths_of(set, [&](Index i) { return set.output(i).size(); });
  auto counts = answer_counts(set);
  add_majority(set, counts, report);
  if (set.form == ExampleForm::labels) {
    report.labels = set.labels.texts();
    report.label_counts = std::move(counts);
  }
  return report;
}

}  // namespace heddle
