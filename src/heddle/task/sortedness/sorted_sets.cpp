// See sorted_sets.hpp.
#include "heddle/task/sortedness/sorted_sets.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "heddle/base/check.hpp"
#include "heddle/base/fields.hpp"
#include "heddle/base/index.hpp"
#include "heddle/base/rng.hpp"
#include "heddle/base/text.hpp"

namespace heddle {

namespace {

Spoil spoil_of(const SetSpec& spec) {
  return {.kind = spec.kind, .delta = spec.delta};
}

}  // namespace

SetSpec as_reported(Index length, std::uint64_t seed) {
  return {.length = length,
          .kind = NegativeKind::swaps,
          .delta = 0,
          .values = ValueKind::uniform,
          .count = 500,
          .seed = seed,
          .coin_flip = true};
}

SortedSet::SortedSet(const SetSpec& spec)
    : spec_(spec),
      stream_(fmt::format("sorted_set.{}.{}.{}.{}{}", spec.length, name_of(spec.kind), spec.delta,
                          name_of(spec.values), spec.coin_flip ? ".coin" : "")) {
  check_spoil(spoil_of(spec), spec.length);
  check<UsageError>(spec.count >= 1 && (spec.coin_flip || spec.count % 2 == 0),
                    "a set of {} sequences, of which half are sorted: accepted is an even number",
                    spec.count);
}

bool SortedSet::draw(Index index, std::span<std::int32_t> out) const {
  const bool twin = twins() && index % 2 == 1;
  const Index number = twins() ? index / 2 : index;
  Rng rng(spec_.seed, stream_, static_cast<std::uint64_t>(number));
  // By turns, not by a coin: exactly half the pairs of a set have either kind of values.
  const ValueKind turn = number % 2 == 0 ? ValueKind::uniform : ValueKind::windowed;
  const bool sorted = twins() ? !twin : rng.below(2) == 1;
  draw_spoilable(rng, spec_.values == ValueKind::mixed ? turn : spec_.values, spoil_of(spec_), out);
  if (!sorted) spoil_in_place(rng, spoil_of(spec_), out);
  return sorted;
}

void SortedSet::block(Index first, Index count, const RowLayout& layout,
                      LabelledBatch& batch) const {
  batch.resize(std::clamp<Index>(size() - first, 0, count), layout.length(spec_.length));
  for (Index row = 0; row < batch.size; ++row) {
    const bool sorted = draw(first + row, batch.open_row(row, layout, spec_.length));
    batch.labels[to_size(row)] = sorted ? 1 : 0;
  }
}

void SortedSet::block(Index first, Index count, Questions& out) const {
  out.make_even(std::clamp<Index>(size() - first, 0, count), spec_.length, 1);
  for (Index row = 0; row < out.size(); ++row)
    out.output_row(row)[0] = draw(first + row, out.input_row(row)) ? 1 : 0;
}

SequenceMakeup SortedSet::makeup() const {
  SequenceMakeup makeup;
  Sequence sequence(to_size(spec_.length));
  for (Index index = 0; index < size(); ++index) {
    draw(index, sequence);
    makeup.add(sequence);
  }
  return makeup;
}

Spoil parse_spoil(std::string_view setting, std::string_view word) {
  if (word.starts_with("dip") && word.size() > 3) {
    const auto delta = parse_int(word.substr(3));
    check<UsageError>(delta && *delta >= 1 && *delta < kValueCount,
                      "{}: {} is no kind; a dip goes from dip1 to dip{}", setting, quote(word),
                      kValueCount - 1);
    return {.kind = NegativeKind::dip, .delta = static_cast<std::int32_t>(*delta)};
  }
  const auto kind = parse_kind<NegativeKind>(std::string(setting), word);
  return {.kind = kind, .delta = kind == NegativeKind::dip ? 1 : 0};
}

}  // namespace heddle
