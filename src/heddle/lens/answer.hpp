// One question, with everything that can be seen of the answer.
#pragma once

#include <string>
#include <vector>

#include "heddle/base/parallel.hpp"
#include "heddle/model/member.hpp"
#include "heddle/task/problem.hpp"

namespace heddle {

/// The attention of all heads of one module.
struct AttentionMap {
  std::string module;  ///< "encoder.0.self"
  Index heads = 0, queries = 0, keys = 0;
  std::vector<float> weights;  ///< [head, query, key]
};

struct Answer {
  std::string input, output, expected;
  bool correct = false;
  std::vector<std::int32_t> source;  ///< what the encoder read
  std::vector<std::int32_t> target;  ///< what the decoder read
  std::vector<std::int32_t> said;    ///< what it answered, position by position
  Index vocabulary = 0;
  std::vector<float> logits;            ///< [position, vocabulary]
  std::vector<AttentionMap> attention;  ///< in the order data passes them
};

/// Decodes greedily, then looks at one pass over the result.
Answer answer_problem(const Member& member, const Problem& problem, Team& team);

/// softmax of one position's logits.
std::vector<double> probabilities(const Answer& answer, Index position);

}  // namespace heddle
