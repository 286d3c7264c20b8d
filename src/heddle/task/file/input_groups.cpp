// See input_groups.hpp.
#include "heddle/task/file/input_groups.hpp"

#include <algorithm>
#include <compare>

#include "heddle/base/hash.hpp"
#include "heddle/base/index.hpp"

namespace heddle {
namespace {

struct Entry {
  std::uint64_t hash = 0;  // of the input's texts and the seed
  std::int32_t example = 0;
};

std::uint64_t input_hash(const ExampleSet& set, Index i, std::uint64_t seed) {
  std::uint64_t hash = mix_bits(seed + 1);
  for (const std::int32_t token : set.input(i)) hash = mix_bits(hash + set.tokens.text_hash(token));
  return hash;
}

std::strong_ordering compare_ids(std::span<const std::int32_t> a, std::span<const std::int32_t> b) {
  return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
}

std::strong_ordering compare_answers(const ExampleSet& set, Index a, Index b) {
  return set.form == ExampleForm::pairs ? compare_ids(set.output(a), set.output(b))
                                        : set.label(a) <=> set.label(b);
}

}  // namespace

bool same_answer(const ExampleSet& set, Index a, Index b) {
  return compare_answers(set, a, b) == std::strong_ordering::equal;
}

InputGroups::InputGroups(const ExampleSet& set, std::uint64_t seed) {
  std::vector<Entry> entries(to_size(set.size()));
  for (Index i = 0; i < set.size(); ++i)
    entries[to_size(i)] = {.hash = input_hash(set, i, seed),
                           .example = static_cast<std::int32_t>(i)};
  std::ranges::sort(entries, [&](const Entry& a, const Entry& b) {
    if (a.hash != b.hash) return a.hash < b.hash;
    // Two inputs may share a hash, if hardly ever.
    std::strong_ordering order = compare_ids(set.input(a.example), set.input(b.example));
    if (order == 0) order = compare_answers(set, a.example, b.example);
    return order == 0 ? a.example < b.example : order < 0;
  });
  order_.reserve(entries.size());
  for (const Entry& entry : entries) {
    const auto same_as_last = [&] {
      return !order_.empty() &&
             std::ranges::equal(set.input(order_.back()), set.input(entry.example));
    };
    if (!same_as_last()) starts_.push_back(static_cast<std::int32_t>(order_.size()));
    order_.push_back(entry.example);
  }
  starts_.push_back(static_cast<std::int32_t>(order_.size()));
}

std::span<const std::int32_t> InputGroups::operator[](Index group) const {
  const auto at = to_size(group);
  return std::span(order_).subspan(to_size(starts_[at]), to_size(starts_[at + 1] - starts_[at]));
}

}  // namespace heddle
