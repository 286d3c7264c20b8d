// See answer.hpp.
#include "heddle/lens/answer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "heddle/lens/watch.hpp"

namespace heddle {
namespace {

std::vector<std::string> token_texts(const Task& task, std::span<const std::int32_t> tokens) {
  std::vector<std::string> all;
  for (const std::int32_t token : tokens) all.push_back(task.token(token));
  return all;
}

}  // namespace

AttentionMap map_of(const HeadGroup& group, const Tensor& pattern) {
  const auto numbers = pattern.flat<float>();  // [1, head, query, key]
  return {.module = group.module,
          .heads = pattern.dim(1),
          .queries = pattern.dim(2),
          .keys = pattern.dim(3),
          .weights = {numbers.begin(), numbers.end()}};
}

QuestionPass watch_question(const Member& member, const ModelInput& question) {
  const TapTable& taps = member.model->taps();
  QuestionPass seen;
  std::vector<std::uint8_t> masked;  // of the attention that passes
  const Watcher watcher(member, [&](TapId id, const Tensor& x) {
    for (const HeadGroup& group : taps.heads()) {
      if (id == group.scores) {
        masked.clear();
        for (const float score : x.flat<float>())
          masked.push_back(score == -std::numeric_limits<float>::infinity() ? 1 : 0);
      }
      if (id == group.pattern) {
        seen.attention.push_back(map_of(group, x));
        seen.attention.back().masked = masked;
      }
    }
    if (taps[id].role == TapRole::logits)
      seen.logits.assign(x.flat<float>().begin(), x.flat<float>().end());
  });
  watcher.pass(question);
  return seen;
}

Answer answer_question(const Member& member, const Task& task, const std::string& text,
                       const std::string& right, Team& team) {
  const Questions asked = asked_questions(task, {text});
  const Decoded decoded = decode_questions(member, encoded(member, asked), team);
  Answer answer;
  answer.input = task.text(asked[0].input);
  answer.output = task.answer_text(decoded.said);
  answer.said = decoded.said;
  answer.choices = member.model->choices();
  answer.source_texts = token_texts(task, decoded.read.source);
  answer.target_texts = token_texts(task, decoded.read.target_in);
  answer.said_texts =
      decoded.labels() ? std::vector{answer.output} : token_texts(task, answer.said);
  answer.known = !right.empty() || knows_answer(task, text);
  if (answer.known) {
    const Questions whole = typed_questions(task, {text}, {right});
    answer.expected = right_text(task, whole[0]);
    const EncodedQuestions rows = encoded(member, whole);
    answer.correct = decoded.said.size() >= rows.wanted.size() && rows.right(0, decoded.said);
  }
  answer.seen = watch_question(member, decoded.input(0, 1));
  return answer;
}

Questions question_answered(const Task& task, const std::string& text, const std::string& right,
                            const Answer& answer) {
  return answer.known ? typed_questions(task, {text}, {right})
                      : asked_questions(task, {text}, {answer.said});
}

std::vector<double> probabilities(const Answer& answer, Index position) {
  const float* row = answer.seen.logits.data() + position * answer.choices;
  std::vector<double> shares(row, row + answer.choices);
  const double most = *std::ranges::max_element(shares);
  double sum = 0;
  for (double& share : shares) sum += share = std::exp(share - most);
  for (double& share : shares) share /= sum;
  return shares;
}

}  // namespace heddle
