// See asked.hpp.
#include "heddle/lens/asked.hpp"

#include <algorithm>

#include "heddle/base/index.hpp"
#include "heddle/base/text.hpp"

namespace heddle {
namespace {

/// What was said, as the task could have asked for it: words alone, not too many.
std::vector<std::int32_t> as_answer(const TaskShape& shape, std::span<const std::int32_t> said) {
  if (shape.labels) return {said.empty() ? 0 : said.front()};
  if (said.empty()) return {};
  std::vector<std::int32_t> words = shape.answer_words(said);
  std::erase_if(words, [&](std::int32_t token) { return token >= shape.pad(); });
  words.resize(std::min(words.size(), to_size(shape.longest_output)));
  return words;
}

}  // namespace

Questions some_of(const Questions& all, Index first, Index most) {
  check<UsageError>(first < all.size(), "this task holds out {} examples: too few to ask",
                    all.size());
  Questions some;
  for (Index i = first; i < std::min(first + most, all.size()); ++i) some.add(all[i]);
  return some;
}

bool knows_answer(const Task& task, const std::string& input) {
  return task.right_answer(task.parse(input)).has_value();
}

Questions typed_questions(const Task& task, const std::vector<std::string>& inputs,
                          const std::vector<std::string>& answers) {
  Questions list;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::vector<std::int32_t> input = task.parse(inputs[i]);
    const bool given = task.traits().accepts_answers && i < answers.size() && !answers[i].empty();
    const auto right =
        given ? std::optional(task.parse_answer(answers[i])) : task.right_answer(input);
    check<UsageError>(right.has_value(),
                      "the answer to {} is not known: the task's file does not hold it",
                      quote(inputs[i]));
    list.add(input, *right);
  }
  return list;
}

Questions asked_questions(const Task& task, const std::vector<std::string>& inputs,
                          const std::vector<std::vector<std::int32_t>>& said) {
  Questions list;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::vector<std::int32_t> input = task.parse(inputs[i]);
    const auto known = task.right_answer(input);
    const auto given = i < said.size() ? std::span(said[i]) : std::span<const std::int32_t>{};
    list.add(input, known ? *known : as_answer(task.shape(), given));
  }
  return list;
}

std::string right_text(const Task& task, const Question& question) {
  return task.shape().labels ? task.label(question.label()) : task.text(question.output);
}

}  // namespace heddle
