// What attention patterns of one member say: which head is the sharpest, how sharp it stays.
#pragma once

#include <string>
#include <vector>

#include "heddle/lens/answer.hpp"
#include "heddle/task/sortedness/sequence.hpp"

namespace heddle {

/// A head by the number of its module's map and its own.
struct HeadOfMaps {
  std::size_t module = 0;
  Index head = 0;
};

/// "encoder.0.self.head.3".
std::string head_name(const std::vector<AttentionMap>& maps, const HeadOfMaps& place);

/// The mean over queries of the largest weight.
double sharpness(const AttentionMap& map, Index head);

/// The head with the largest mean sharpness over these patterns.
HeadOfMaps sharpest(const std::vector<std::vector<AttentionMap>>& patterns);

/// Sequences of that length, drawn as for evaluations: the unsorted ones of one-swap twins.
std::vector<Sequence> one_swap_sequences(ValueKind values, Index length, Index count);

/// A sequence as a question; its label is the truth.
void add_sequence(const Sequence& sequence, Questions& out);

/// The patterns of every attention on a sequence.
std::vector<AttentionMap> patterns_on(const Member& member, const Sequence& sequence);
std::vector<std::vector<AttentionMap>> patterns_on(const Member& member,
                                                   const std::vector<Sequence>& sequences);

}  // namespace heddle
