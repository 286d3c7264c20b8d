// One question, with everything that can be seen of the answer.
#pragma once

#include <string>
#include <vector>

#include "heddle/base/parallel.hpp"
#include "heddle/lens/asked.hpp"

namespace heddle {

/// The attention of all heads of one module.
struct AttentionMap {
  std::string module;  ///< "encoder.0.self"
  Index heads = 0, queries = 0, keys = 0;
  std::vector<float> weights;             ///< [head, query, key]
  std::vector<std::uint8_t> masked = {};  ///< the same: 1 where the head cannot look
};

/// Of a pattern [1, head, query, key].
AttentionMap map_of(const HeadGroup& group, const Tensor& pattern);

/// What one pass over one question shows.
struct QuestionPass {
  std::vector<AttentionMap> attention;  ///< in the order data passes them
  std::vector<float> logits;            ///< [position, choice]
};
QuestionPass watch_question(const Member& member, const ModelInput& question);

struct Answer {
  std::string input, output, expected;
  bool known = true;  ///< the right answer is; else `expected` is empty
  bool correct = false;
  std::vector<std::int32_t> said;  ///< what it answered, position by position; or the class
  Index choices = 0;
  QuestionPass seen;  ///< over what was read and said
  /// The tokens as a reader writes them: what was read, what was read while answering (of a
  /// classifier nothing), and what was said (of a classifier its label).
  std::vector<std::string> source_texts, target_texts, said_texts;
};

/// A question of any task as the user types it; `right` is what the user says the answer is, empty
/// if nothing. The member answers, then one pass over the result is looked at.
Answer answer_question(const Member& member, const Task& task, const std::string& text,
                       const std::string& right, Team& team);
/// The same question with its right answer or, where that is not known, with what was said.
Questions question_answered(const Task& task, const std::string& text, const std::string& right,
                            const Answer& answer);

/// softmax of one position's logits.
std::vector<double> probabilities(const Answer& answer, Index position);

}  // namespace heddle
