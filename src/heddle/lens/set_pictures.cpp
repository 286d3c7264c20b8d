// See set_pictures.hpp.
#include "heddle/lens/set_pictures.hpp"

#include <algorithm>
#include <cmath>

#include "heddle/lens/watch.hpp"

namespace heddle {
namespace {

constexpr Index kLookedAt = 2000;  // questions among which some are chosen

AttentionGrid grid_of(const std::string& module, const Tensor& pattern) {
  constexpr double kSteps = 1e4;
  AttentionGrid grid{.module = module,
                     .heads = pattern.dim(1),
                     .queries = pattern.dim(2),
                     .keys = pattern.dim(3),
                     .weights = {}};
  for (const float weight : pattern.flat<float>())  // [1, head, query, key]
    grid.weights.push_back(std::round(static_cast<double>(weight) * kSteps) / kSteps);
  return grid;
}

/// The choice with the largest logit at each position that is asked.
std::vector<std::int32_t> said(const ForcedSet& set, const Tensor& logits, Index choices) {
  std::vector<std::int32_t> answer;
  const auto* row = logits.data<float>();
  for (const std::int32_t wanted : set.wanted(0)) {
    if (wanted >= 0)
      answer.push_back(static_cast<std::int32_t>(std::max_element(row, row + choices) - row));
    row += choices;
  }
  return answer;
}

std::vector<std::string> task_texts(const RunTask& task, std::span<const std::int32_t> tokens) {
  std::vector<std::string> list;
  for (const std::int32_t token : tokens) list.push_back(task.token(token));
  return list;
}

bool cuts_characters(const TaskConfig& task) {
  return task.name == TaskKind::addition ||
         (task.name == TaskKind::file && task.tokens == TokenKind::characters);
}

/// The whole question as one text.
std::string question_text(const Member& member, const std::vector<std::string>& tokens) {
  std::string text;
  for (const std::string& token : tokens) {
    if (token == "PAD" || token == "CLS" || token == "BOS") continue;
    if (!text.empty() && !cuts_characters(member.config.task)) text += " ";
    text += token;
  }
  return text;
}

AttentionPicture set_picture(const Member& member, const RunTask& task, const ForcedSet& set) {
  AttentionPicture picture;
  picture.source = task_texts(task, set.source_row(0));
  if (!set.labels()) picture.target = task_texts(task, set.target_row(0));
  picture.name = question_text(member, picture.source);
  std::vector<std::int32_t> right;
  for (const std::int32_t wanted : set.wanted(0))
    if (wanted >= 0) right.push_back(wanted);
  picture.expected = task.answer_text(right);
  const TapTable& taps = member.model->taps();
  const Watcher watcher(member, [&](TapId id, const Tensor& x) {
    for (const HeadGroup& group : taps.heads())
      if (id == group.pattern) picture.modules.push_back(grid_of(group.module, x));
    if (taps[id].role == TapRole::logits)
      picture.output = task.answer_text(said(set, x, member.model->choices()));
  });
  watcher.pass(set.input(0, 1));
  return picture;
}

}  // namespace

std::vector<AttentionPicture> test_pictures(const Member& member, const RunTask& task, Index most,
                                            Index most_tokens) {
  std::vector<AttentionPicture> pictures;
  const Index there = task.test(0, kLookedAt).size();
  for (Index k = 0; k < most; ++k)  // files are often sorted: one of each part
    for (Index i = k * there / most; i < (k + 1) * there / most; ++i) {
      const ForcedSet one = task.test(i, 1);
      if (std::max(one.source_length(), one.target_length()) > most_tokens) continue;
      pictures.push_back(set_picture(member, task, one));
      break;
    }
  return pictures;
}

}  // namespace heddle
