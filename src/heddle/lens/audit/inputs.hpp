// The inputs of all splits of a run, found by what they are; and their commuted twins.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "heddle/lens/audit/parts.hpp"

namespace heddle {

/// Which example of which split.
struct InputEntry {
  Split split = Split::train;
  Index index = 0;
};

class AuditInputs {
 public:
  /// `data` must outlive it.
  explicit AuditInputs(const AuditData& data);

  const Questions& list(Split split) const { return data_.list(split); }
  Question at(const InputEntry& entry) const { return list(entry.split)[entry.index]; }
  /// The first example of this split with this input; −1: none.
  Index find(Split split, std::span<const std::int32_t> input) const;
  /// Calls see(entries) for all examples with one input, where there are at least two.
  template <class See>
  void each_group(See&& see) const;

 private:
  struct Entry {
    std::uint64_t hash = 0;
    InputEntry entry;
  };

  const AuditData& data_;
  std::vector<Entry> entries_;  // by hash, split, index
};

/// Inputs that look like two operands: around a token that never begins or ends an input and stands
/// once in each ("12 + 34"), or two tokens in all.
class OperandSwap {
 public:
  explicit OperandSwap(const AuditInputs& inputs);

  bool two_operands() const { return pairs_ || operators_; }
  /// b + a for a + b; nothing where both are equal.
  std::optional<std::vector<std::int32_t>> twin(std::span<const std::int32_t> input) const;

 private:
  bool pairs_ = false, operators_ = false;
  std::vector<std::uint8_t> operator_;  // [token]
};

template <class See>
void AuditInputs::each_group(See&& see) const {
  std::vector<InputEntry> group;
  for (std::size_t first = 0; first < entries_.size();) {
    std::size_t end = first + 1;
    while (end < entries_.size() && entries_[end].hash == entries_[first].hash) ++end;
    group.clear();
    for (std::size_t i = first; i < end; ++i) group.push_back(entries_[i].entry);
    if (group.size() > 1) see(std::span<const InputEntry>(group));
    first = end;
  }
}

}  // namespace heddle
