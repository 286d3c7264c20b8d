// One sequence put to a classifier, with everything that can be seen of the answer.
#pragma once

#include <string>
#include <vector>

#include "heddle/lens/answer.hpp"
#include "heddle/model/member.hpp"
#include "heddle/task/sortedness/sequence.hpp"

namespace heddle {

/// A head and how much of the answer's margin it carries.
struct SequenceHead {
  std::string head;   ///< "encoder.0.self.head.3"
  double effect = 0;  ///< margin of the right answer, whole − without the head
};

struct SequenceAnswer {
  Sequence values;
  bool sorted = false;  ///< the truth
  bool said = false;
  std::vector<float> logits;            ///< of "not" and "sorted"
  std::vector<std::string> tokens;      ///< as the model read them
  std::vector<AttentionMap> attention;  ///< in the order data passes them
  std::vector<SequenceHead> heads;      ///< largest effect first
};

/// Asks the member. A head is taken out by putting its mean over `references` other sequences of
/// the same length in its place, position by position.
SequenceAnswer answer_sequence(const Member& member, const Sequence& values, Index references);

/// The pattern of every attention on one sequence.
std::vector<AttentionMap> sequence_attention(const Member& member, const Sequence& values);

/// "3", "99", "BOS", "PAD", "CLS".
std::string sort_token_text(std::int32_t token);

}  // namespace heddle
