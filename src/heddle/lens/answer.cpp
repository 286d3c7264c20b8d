// See answer.hpp.
#include "heddle/lens/answer.hpp"

#include <algorithm>
#include <cmath>

#include "heddle/lens/watch.hpp"
#include "heddle/task/encoding.hpp"

namespace heddle {
namespace {

constexpr std::string_view kPattern = ".pattern";

AttentionMap map_of(const std::string& path, const Tensor& pattern) {
  const auto numbers = pattern.flat<float>();  // [1, head, query, key]
  return {.module = path.substr(0, path.size() - kPattern.size()),
          .heads = pattern.dim(1),
          .queries = pattern.dim(2),
          .keys = pattern.dim(3),
          .weights = {numbers.begin(), numbers.end()}};
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
                .attention = {}};
  const TapTable& taps = member.model->taps();
  const Watcher watcher(member, [&](TapId id, const Tensor& x) {
    const std::string& path = taps[id].path;
    if (path.ends_with(kPattern)) answer.attention.push_back(map_of(path, x));
    if (path == "logits") answer.logits.assign(x.flat<float>().begin(), x.flat<float>().end());
  });
  watcher.pass(decoded, 0, 1);
  return answer;
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
