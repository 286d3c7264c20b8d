// Training sequences by step, without state.
#include "heddle/task/sortedness/data.hpp"

#include <algorithm>
#include <set>

#include "heddle/base/check.hpp"
#include "heddle/base/hash.hpp"
#include "heddle/base/index.hpp"
#include "heddle/base/rng.hpp"

namespace heddle {

namespace {

void check_settings(const SortednessSettings& settings) {
  check<UsageError>(settings.min_length <= settings.max_length,
                    "sequences of {} to {} values: accepted is a range that does not fall",
                    settings.min_length, settings.max_length);
  check<UsageError>(!settings.kinds.empty(), "no kind of negatives: accepted is at least one");
  check<UsageError>(settings.batch >= 1, "a batch of {}: accepted is at least 1", settings.batch);
  check<UsageError>(
      settings.batch % 2 == 0 || settings.coin_flip || settings.source == DataSource::fixed,
      "a batch of {}, of which half are sorted: accepted is an even number", settings.batch);
  for (const NegativeKind kind : settings.kinds)
    check_spoil({.kind = kind, .delta = kind == NegativeKind::dip ? kDipDepths.front() : 0},
                settings.min_length);
}

Index draw_length(Rng& rng, const SortednessSettings& settings) {
  const auto lengths = static_cast<std::uint64_t>(settings.max_length - settings.min_length + 1);
  return settings.min_length + static_cast<Index>(rng.below(lengths));
}

/// The kinds in turn: `number` counts the negatives.
Spoil draw_spoil(Rng& rng, const SortednessSettings& settings, Index number) {
  const auto turn = to_size(number) % settings.kinds.size();
  const NegativeKind kind = settings.kinds[turn];
  if (kind != NegativeKind::dip) return {.kind = kind};
  return {.kind = kind, .delta = kDipDepths[rng.below(kDipDepths.size())]};
}

/// A set as `fixed` draws it, without any sequence that is `taken`: 10,000 of two values and more
/// never take them all.
std::vector<LabelledSequence> draw_set(Rng rng, const SortednessSettings& settings, Index count,
                                       const std::set<Sequence>& taken) {
  std::vector<LabelledSequence> set;
  set.reserve(to_size(count));
  for (Index number = 0; std::ssize(set) < count;) {
    const Spoil spoil = draw_spoil(rng, settings, number);
    Sequence sorted(to_size(draw_length(rng, settings)));
    draw_spoilable(rng, settings.values, spoil, sorted);
    Sequence twin = sorted;
    spoil_in_place(rng, spoil, twin);
    if (taken.contains(sorted) || taken.contains(twin)) continue;
    ++number;
    const bool both = !settings.coin_flip;
    const bool heads = both || rng.below(2) == 1;
    if (heads) set.push_back({.values = std::move(sorted), .sorted = true});
    if (both || !heads) set.push_back({.values = std::move(twin), .sorted = false});
  }
  return set;
}

void add_sequence(Hash& hash, Values values, bool sorted) {
  hash.add(std::uint64_t{values.size()}).add(std::uint64_t{sorted ? 1U : 0U});
  for (const std::int32_t value : values) hash.add(static_cast<std::uint64_t>(value));
}

void add_set(Hash& hash, std::string_view name, std::span<const LabelledSequence> set) {
  hash.add(name).add(std::uint64_t{set.size()});
  for (const LabelledSequence& sequence : set) add_sequence(hash, sequence.values, sequence.sorted);
}

/// Hashes of streams are those of rows as the model reads them, with BOS and CLS.
Sequence in_row(Values values, const RowLayout& layout) {
  Sequence row;
  if (layout.bos) row.push_back(kSortBos);
  if (layout.cls == ClsPlace::front) row.push_back(kSortCls);
  row.insert(row.end(), values.begin(), values.end());
  if (layout.cls == ClsPlace::back) row.push_back(kSortCls);
  return row;
}

}  // namespace

std::vector<NegativeKind> default_kinds() {
  return {NegativeKind::shuffle, NegativeKind::adjacent, NegativeKind::distant};
}

SortednessData::SortednessData(const SortednessSettings& settings) : settings_(settings) {
  check_settings(settings);
  std::set<Sequence> taken;
  if (settings.source == DataSource::fixed) {
    train_ = draw_set(Rng(settings.seed, "data.fixed"), settings, kTrain, taken);
    for (const LabelledSequence& sequence : train_) taken.insert(sequence.values);
  }
  validation_ = draw_set(Rng(settings.seed, "data.validation"), settings, kValidation, taken);
}

void SortednessData::train_questions(Index step, Questions& out) const {
  settings_.source == DataSource::stream ? stream_questions(step, out) : fixed_questions(step, out);
}

void SortednessData::stream_questions(Index step, Questions& out) const {
  const auto stream = static_cast<std::uint64_t>(step);
  const Index size = settings_.batch;
  Rng rng(settings_.seed, "data.train", stream);
  const Permutation order(Rng(settings_.seed, "data.rows", stream),
                          static_cast<std::uint64_t>(size));
  out.make_even(size, draw_length(rng, settings_), 1);
  const auto open = [&](Index place, bool sorted) {
    const auto row = static_cast<Index>(order(static_cast<std::uint64_t>(place)));
    out.output_row(row)[0] = sorted ? 1 : 0;
    return out.input_row(row);
  };
  const Index draws = settings_.coin_flip ? size : size / 2;
  for (Index draw = 0; draw < draws; ++draw) {
    const Spoil spoil = draw_spoil(rng, settings_, step * draws + draw);
    const bool keep = !settings_.coin_flip || rng.below(2) == 1;
    const auto values = open(draw, keep);
    draw_spoilable(rng, settings_.values, spoil, values);
    if (!keep) spoil_in_place(rng, spoil, values);
    if (settings_.coin_flip) continue;
    const auto twin = open(draws + draw, false);
    std::ranges::copy(values, twin.begin());
    spoil_in_place(rng, spoil, twin);
  }
}

/// The epochs, each in an order of its own, one after the other; a batch may span two.
void SortednessData::fixed_questions(Index step, Questions& out) const {
  out.clear();
  const auto size = std::ssize(train_);
  const Index rows = settings_.batch, start = step * rows;
  for (Index row = 0; row < rows;) {
    const Index epoch = (start + row) / size;
    const Permutation order(Rng(settings_.seed, "data.epoch", static_cast<std::uint64_t>(epoch)),
                            static_cast<std::uint64_t>(size));
    const Index end = std::min(rows, (epoch + 1) * size - start);
    for (; row < end; ++row) {
      const auto& [values, sorted] =
          train_[order(static_cast<std::uint64_t>((start + row) % size))];
      const std::int32_t label = sorted ? 1 : 0;
      out.add(values, std::span(&label, 1));
    }
  }
}

void SortednessData::train_batch(Index step, LabelledBatch& batch) const {
  static thread_local Questions questions;
  train_questions(step, questions);
  const Index count = questions.size();
  batch.resize(count, layout().length(questions.longest_input(0, count)));
  for (Index row = 0; row < count; ++row) {
    const Question question = questions[row];
    std::ranges::copy(question.input,
                      batch.open_row(row, layout(), std::ssize(question.input)).begin());
    batch.labels[to_size(row)] = question.label();
  }
}

SequenceMakeup SortednessData::train_makeup() const {
  SequenceMakeup makeup;
  for (const LabelledSequence& sequence : train_) makeup.add(sequence.values);
  Questions questions;
  for (Index step = 0; makeup.count() < kTrain; ++step) {
    train_questions(step, questions);
    for (Index i = 0; i < questions.size() && makeup.count() < kTrain; ++i)
      makeup.add(questions[i].input);
  }
  return makeup;
}

std::string SortednessData::data_hash() const {
  Hash hash;
  add_set(hash, "train", train_);
  if (settings_.source == DataSource::stream) {
    Questions questions;
    train_questions(0, questions);
    for (Index i = 0; i < questions.size(); ++i)
      add_sequence(hash, in_row(questions[i].input, layout()), questions[i].label() == 1);
  }
  add_set(hash, "validation", validation_);
  return hash.hex();
}

}  // namespace heddle
