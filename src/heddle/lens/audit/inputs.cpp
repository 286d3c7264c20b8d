// See inputs.hpp.
#include "heddle/lens/audit/inputs.hpp"

#include <algorithm>
#include <tuple>

#include "heddle/base/hash.hpp"
#include "heddle/base/index.hpp"

namespace heddle {
namespace {

constexpr std::array kAllSplits{Split::train, Split::validation, Split::test};

std::uint64_t fingerprint(std::span<const std::int32_t> words) {
  Hash hash;
  hash.add(std::uint64_t{words.size()});
  for (const std::int32_t word : words) hash.add(static_cast<std::uint64_t>(word));
  return hash.value();
}

}  // namespace

AuditInputs::AuditInputs(const AuditData& data) : data_(data) {
  for (const Split split : kAllSplits)
    for (Index i = 0; i < list(split).size(); ++i)
      entries_.push_back({fingerprint(list(split)[i].input), {split, i}});
  std::ranges::sort(entries_, [](const Entry& a, const Entry& b) {
    return std::tie(a.hash, a.entry.split, a.entry.index) <
           std::tie(b.hash, b.entry.split, b.entry.index);
  });
}

Index AuditInputs::find(Split split, std::span<const std::int32_t> input) const {
  const std::uint64_t hash = fingerprint(input);
  auto entry = std::ranges::lower_bound(entries_, hash, {}, &Entry::hash);
  for (; entry != entries_.end() && entry->hash == hash; ++entry)
    if (entry->entry.split == split && std::ranges::equal(at(entry->entry).input, input))
      return entry->entry.index;
  return -1;
}

OperandSwap::OperandSwap(const AuditInputs& inputs) {
  const auto each = [&](auto&& see) {
    for (const Split split : kAllSplits)
      for (Index i = 0; i < inputs.list(split).size(); ++i) see(inputs.list(split)[i].input);
  };
  std::int32_t largest = 0;
  pairs_ = true;
  each([&](std::span<const std::int32_t> input) {
    largest = std::max(largest, std::ranges::max(input));
    pairs_ = pairs_ && input.size() == 2;
  });
  operator_.assign(to_size(largest) + 1, 1);
  const auto rule_out = [&](std::int32_t token) { operator_[to_size(token)] = 0; };
  each([&](std::span<const std::int32_t> input) {
    rule_out(input.front());
    rule_out(input.back());
    for (std::size_t i = 1; i + 1 < input.size(); ++i)
      if (std::ranges::count(input, input[i]) > 1) rule_out(input[i]);
  });
  operators_ = true;
  each([&](std::span<const std::int32_t> input) {
    operators_ = operators_ && std::ranges::count_if(input, [&](std::int32_t token) {
                                 return operator_[to_size(token)] != 0;
                               }) == 1;
  });
}

std::optional<std::vector<std::int32_t>> OperandSwap::twin(
    std::span<const std::int32_t> input) const {
  std::vector<std::int32_t> other;
  if (operators_) {
    const auto middle = std::ranges::find_if(
        input, [&](std::int32_t token) { return operator_[to_size(token)] != 0; });
    other.assign(middle + 1, input.end());
    other.push_back(*middle);
    other.insert(other.end(), input.begin(), middle);
  } else {
    other.assign(input.rbegin(), input.rend());
  }
  if (std::ranges::equal(other, input)) return std::nullopt;
  return other;
}

}  // namespace heddle
