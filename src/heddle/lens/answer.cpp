// See answer.hpp.
#include "heddle/lens/answer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "heddle/lens/watch.hpp"
#include "heddle/task/addition/encoding.hpp"

namespace heddle {
namespace {

AttentionMap map_of(const std::string& module, const Tensor& pattern) {
  const auto numbers = pattern.flat<float>();  // [1, head, query, key]
  return {.module = module,
          .heads = pattern.dim(1),
          .queries = pattern.dim(2),
          .keys = pattern.dim(3),
          .weights = {numbers.begin(), numbers.end()}};
}

/// One pass over what was read and said: logits, and the pattern of every attention.
void look(const Member& member, const Decoded& decoded, Answer& answer) {
  const TapTable& taps = member.model->taps();
  std::vector<std::uint8_t> masked;  // of the attention that passes
  const Watcher watcher(member, [&](TapId id, const Tensor& x) {
    for (const HeadGroup& group : taps.heads()) {
      if (id == group.scores) {
        masked.clear();
        for (const float score : x.flat<float>())
          masked.push_back(score == -std::numeric_limits<float>::infinity() ? 1 : 0);
      }
      if (id == group.pattern) {
        answer.attention.push_back(map_of(group.module, x));
        answer.attention.back().masked = masked;
      }
    }
    if (taps[id].role == TapRole::logits)
      answer.logits.assign(x.flat<float>().begin(), x.flat<float>().end());
  });
  watcher.pass(decoded, 0, 1);
}

std::vector<std::string> token_texts(const RunTask& task, std::span<const std::int32_t> tokens) {
  std::vector<std::string> all;
  for (const std::int32_t token : tokens) all.push_back(task.token(token));
  return all;
}

std::vector<std::string> token_texts(std::span<const std::int32_t> digits) {
  std::vector<std::string> all;
  for (const std::int32_t token : digits) all.emplace_back(token_text(token));
  return all;
}

/// Whether what was said is what should have been said.
bool agrees(const ForcedSet& set, std::span<const std::int32_t> said) {
  const auto wanted = set.wanted(0);
  return !set.hopeless(0) && said.size() >= wanted.size() &&
         std::ranges::equal(said.first(wanted.size()), wanted);
}

}  // namespace

Answer answer_problem(const Member& member, const Problem& problem, Team& team) {
  const AdditionEncoding encoding(member.config.task);
  const Decoded decoded = decode_problems(member, std::span(&problem, 1), team);
  Answer answer{.input = problem_text(problem),
                .output = encoding.answer_text(decoded.said),
                .expected = sum_text(problem),
                .correct = encoding.correct(problem, decoded.said),
                .source = decoded.source,
                .target = decoded.target,
                .said = decoded.said,
                .vocabulary = member.model->choices(),
                .logits = {},
                .attention = {},
                .source_texts = token_texts(decoded.source),
                .target_texts = token_texts(decoded.target),
                .said_texts = token_texts(decoded.said)};
  look(member, decoded, answer);
  return answer;
}

Answer answer_question(const Member& member, const RunTask& task, const std::string& text,
                       const std::string& right, Team& team) {
  const Decoded decoded = decode_questions(member, task.asked({text}, {}), team);
  Answer answer{.input = text,
                .output = task.answer_text(decoded.said),
                .expected = "",
                .source = decoded.source,
                .target = decoded.target,
                .said = decoded.said,
                .vocabulary = member.model->choices(),
                .logits = {},
                .attention = {},
                .known = !right.empty() || task.knows_answer(text),
                .source_texts = token_texts(task, decoded.source),
                .target_texts = token_texts(task, decoded.target),
                .said_texts = {}};
  answer.said_texts =
      decoded.labels() ? std::vector{answer.output} : token_texts(task, decoded.said);
  if (answer.known) {
    const ForcedSet set = task.question(text, right);
    answer.expected = task.answer_text(set.wanted(0));
    answer.correct = agrees(set, decoded.said);
  }
  look(member, decoded, answer);
  return answer;
}

ForcedSet asked_for(const RunTask& task, const std::string& text, const std::string& right,
                    const Answer& answer) {
  return answer.known ? task.question(text, right) : task.asked({text}, {answer.said});
}

std::vector<double> probabilities(const Answer& answer, Index position) {
  const float* row = answer.logits.data() + position * answer.vocabulary;
  std::vector<double> shares(row, row + answer.vocabulary);
  const double most = *std::ranges::max_element(shares);
  double sum = 0;
  for (double& share : shares) sum += share = std::exp(share - most);
  for (double& share : shares) share /= sum;
  return shares;
}

}  // namespace heddle
