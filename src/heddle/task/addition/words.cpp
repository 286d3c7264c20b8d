// See words.hpp, and how the addition task reads and writes its words.
#include "heddle/task/addition/words.hpp"

#include <algorithm>
#include <array>

#include "heddle/base/check.hpp"
#include "heddle/base/index.hpp"
#include "heddle/base/text.hpp"
#include "heddle/task/addition/addition.hpp"

namespace heddle {

TaskShape addition_shape(const TaskConfig& task) {
  const Index n = task.digits;
  TaskShape shape{.words = kPlus + 1, .longest_input = 2 * n + 1, .longest_output = n + 1};
  shape.start = task.bos == BosKind::token ? AnswerStart::bos : AnswerStart::first_word;
  if (task.pad == PadKind::zero) shape.unscored_word = 0;
  shape.last_word_first = task.order == DigitOrder::least;
  for (Index place = 0; place < shape.longest_input; ++place)
    shape.input_columns.push_back(place == n ? -1 : (place < n ? n - 1 : 2 * n) - place);
  for (Index place = 0; place <= n; ++place) shape.output_columns.push_back(n - place);
  return shape;
}

void write_problem(const Problem& problem, std::span<std::int32_t> input,
                   std::span<std::int32_t> output) {
  const auto n = to_size(problem.digits);
  for (std::size_t i = 0; i < n; ++i) {
    input[n - 1 - i] = problem.a[i];
    input[2 * n - i] = problem.b[i];
  }
  input[n] = kPlus;
  const SumDigits sum = sum_of(problem);
  std::reverse_copy(sum.begin(), sum.begin() + problem.digits + 1, output.begin());
}

void add_problem(const Problem& problem, Questions& out) {
  std::array<std::int32_t, 2 * kMaxDigits + 1> input{};
  std::array<std::int32_t, kMaxDigits + 1> output{};
  const auto n = to_size(problem.digits);
  write_problem(problem, input, output);
  out.add(std::span(input).first(2 * n + 1), std::span(output).first(n + 1));
}

Questions questions_of(std::span<const Problem> problems) {
  Questions questions;
  for (const Problem& problem : problems) add_problem(problem, questions);
  return questions;
}

Problem problem_of(std::span<const std::int32_t> input) {
  const std::size_t n = input.size() / 2;
  const auto digit = [](std::int32_t word) { return word >= 0 && word < kPlus; };
  check(input.size() % 2 == 1 && n >= 1 && n <= kMaxDigits && input[n] == kPlus &&
            std::ranges::count_if(input, digit) == std::ssize(input) - 1,
        "{} is no addition", quote(tokens_text(input)));
  Problem problem{.digits = static_cast<int>(n)};
  for (std::size_t i = 0; i < n; ++i) {
    problem.a[i] = static_cast<std::uint8_t>(input[n - 1 - i]);
    problem.b[i] = static_cast<std::uint8_t>(input[2 * n - i]);
  }
  return problem;
}

std::string Addition::description() const {
  return fmt::format("addition of {}-digit numbers, {} significant digit first", digits(),
                     shape().last_word_first ? "least" : "most");
}

std::string Addition::answer_text(std::span<const std::int32_t> said) const {
  return tokens_text(shape().answer_words(said));  // a control token among the digits is shown
}

std::string Addition::mistake_text(const Question& question,
                                   std::span<const std::int32_t> said) const {
  return fmt::format("{}={}", text(question.input), answer_text(said));
}

std::vector<std::int32_t> Addition::parse(std::string_view text) const {
  std::vector<std::int32_t> input(to_size(shape().longest_input)),
      sum(to_size(shape().longest_output));
  write_problem(parse_problem(text, digits()), input, sum);
  return input;
}

std::vector<std::int32_t> Addition::parse_answer(std::string_view text) const {
  const auto length = to_size(shape().longest_output);
  const bool numeric = std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  check<UsageError>(!text.empty() && numeric && text.size() <= length,
                    "{} is no sum: accepted is 1 to {} digits", quote(text), length);
  std::vector<std::int32_t> sum(length - text.size());
  for (const char digit : text) sum.push_back(digit - '0');
  return sum;
}

std::optional<std::vector<std::int32_t>> Addition::right_answer(
    std::span<const std::int32_t> input) const {
  std::vector<std::int32_t> again(input.size()), sum(input.size() / 2 + 1);
  write_problem(problem_of(input), again, sum);
  return sum;
}

}  // namespace heddle
