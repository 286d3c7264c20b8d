// One question, with everything that can be seen of the answer.
#pragma once

#include <string>
#include <vector>

#include "heddle/base/parallel.hpp"
#include "heddle/lens/run_task.hpp"
#include "heddle/task/addition/problem.hpp"

namespace heddle {

/// The attention of all heads of one module.
struct AttentionMap {
  std::string module;  ///< "encoder.0.self"
  Index heads = 0, queries = 0, keys = 0;
  std::vector<float> weights;             ///< [head, query, key]
  std::vector<std::uint8_t> masked = {};  ///< the same: 1 where the head cannot look; may be empty
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
  bool known = true;                    ///< the right answer is; else `expected` is empty
  /// The tokens as a reader writes them; of a classifier, `said_texts` is its label.
  std::vector<std::string> source_texts = {}, target_texts = {}, said_texts = {};
};

/// Decodes greedily, then looks at one pass over the result.
Answer answer_problem(const Member& member, const Problem& problem, Team& team);

/// The same for a question of any task, as the user types it; `right` is what the user says the
/// answer is, empty if nothing.
Answer answer_question(const Member& member, const RunTask& task, const std::string& text,
                       const std::string& right, Team& team);
/// The question with its right answer or, where that is not known, with what was said.
ForcedSet asked_for(const RunTask& task, const std::string& text, const std::string& right,
                    const Answer& answer);

/// softmax of one position's logits.
std::vector<double> probabilities(const Answer& answer, Index position);

}  // namespace heddle
