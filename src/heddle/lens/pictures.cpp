// See pictures.hpp.
#include "heddle/lens/pictures.hpp"

#include <algorithm>
#include <cmath>

namespace heddle {
namespace {

constexpr Index kLookedAt = 2000;  // questions among which some are chosen

AttentionGrid grid_of(const AttentionMap& map) {
  AttentionGrid grid{.module = map.module,
                     .heads = map.heads,
                     .queries = map.queries,
                     .keys = map.keys,
                     .weights = {}};
  for (const float weight : map.weights)
    grid.weights.push_back(rounded_weight(static_cast<double>(weight)));
  return grid;
}

/// The choice with the largest logit at each position that is asked.
std::vector<std::int32_t> best_choices(const EncodedQuestions& question, const float* row,
                                       Index count) {
  std::vector<std::int32_t> choices;
  for (const std::int32_t wanted : question.wanted) {
    if (wanted >= 0)
      choices.push_back(static_cast<std::int32_t>(std::max_element(row, row + count) - row));
    row += count;
  }
  return choices;
}

std::vector<std::string> picture_tokens(const Task& task, std::span<const std::int32_t> tokens) {
  std::vector<std::string> texts;
  for (const std::int32_t token : tokens) texts.push_back(task.token(token));
  return texts;
}

AttentionPicture test_picture(const Member& member, const Task& task, const Questions& one) {
  const EncodedQuestions rows = encoded(member, one);
  AttentionPicture picture;
  picture.source = picture_tokens(task, rows.source_row(0));
  if (!rows.labels) picture.target = picture_tokens(task, rows.target_row(0));
  picture.name = task.text(one[0].input);
  picture.expected = right_text(task, one[0]);
  const QuestionPass seen = watch_question(member, rows.all());
  picture.output =
      task.answer_text(best_choices(rows, seen.logits.data(), member.model->choices()));
  for (const AttentionMap& map : seen.attention) picture.modules.push_back(grid_of(map));
  return picture;
}

}  // namespace

double rounded_weight(double weight) {
  constexpr double kSteps = 1e4;
  return std::round(weight * kSteps) / kSteps;
}

AttentionPicture picture_of(const Answer& answer) {
  AttentionPicture picture{.name = answer.input,
                           .problems = 1,
                           .output = answer.output,
                           .expected = answer.expected,
                           .source = answer.source_texts,
                           .target = answer.target_texts,
                           .modules = {}};
  for (const AttentionMap& map : answer.seen.attention) picture.modules.push_back(grid_of(map));
  return picture;
}

std::vector<AttentionPicture> test_pictures(const Member& member, const Task& task, Index most,
                                            Index most_tokens) {
  std::vector<AttentionPicture> pictures;
  if (task.test().size() == 0) return pictures;
  const Questions there = some_of(task.test(), 0, kLookedAt);
  for (Index k = 0; k < most; ++k)  // files are often sorted: one of each part
    for (Index i = k * there.size() / most; i < (k + 1) * there.size() / most; ++i) {
      const Questions one = some_of(there, i, 1);
      const EncodedQuestions rows = encoded(member, one);
      if (std::max(rows.source_length, rows.target_length) > most_tokens) continue;
      pictures.push_back(test_picture(member, task, one));
      break;
    }
  return pictures;
}

}  // namespace heddle
