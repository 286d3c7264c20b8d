// See input.hpp.
#include "heddle/model/input.hpp"

#include <algorithm>

namespace heddle {
namespace {

template <class T>
const T* from_row(const std::vector<T>& rows, Index first) {
  return rows.empty() ? nullptr : rows.data() + first;
}

}  // namespace

ModelInput EncodedQuestions::part(Index first, Index count) const {
  const Index from = first * source_length;
  const std::int32_t* counting = from_row(starts, first);
  ModelInput input{.source = {.ids = source.data() + from,
                              .batch = count,
                              .length = source_length,
                              .valid = from_row(source_valid, from),
                              .places = from_row(places, from),
                              .starts = counting},
                   .pooled = from_row(pooled, from),
                   .summary = summary};
  if (labels) return input;
  input.target = {.ids = target_in.data() + first * target_length,
                  .batch = count,
                  .length = target_length,
                  .starts = counting};
  return input;
}

Index EncodedQuestions::bearing() const {
  const std::vector<std::int32_t>& asked = scored.empty() ? wanted : scored;
  return std::ssize(asked) - std::ranges::count(asked, kNoTarget);
}

bool EncodedQuestions::right(Index row, std::span<const std::int32_t> said) const {
  const auto should = wanted_row(row);
  for (std::size_t i = 0; i < should.size() && should[i] != kNoTarget; ++i)
    if (said[i] != should[i]) return false;
  return !cannot_be_right(row);
}

Index EncodedQuestions::used_source(Index row) const {
  if (source_valid.empty()) return source_length;
  return std::ranges::count(
      std::span(source_valid).subspan(to_size(row * source_length), to_size(source_length)), 1);
}

Index EncodedQuestions::used_target(Index row) const {
  return positions() - std::ranges::count(wanted_row(row), kNoTarget);
}

bool EncodedQuestions::padded() const {
  return std::ranges::find(source_valid, 0) != source_valid.end() ||
         std::ranges::find(wanted, kNoTarget) != wanted.end();
}

}  // namespace heddle
