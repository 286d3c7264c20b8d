// An addition as words and back: the digits of both operands with a plus between them, and the
// digits of the sum, most significant first.
#pragma once

#include <cstdint>
#include <span>

#include "heddle/config/config.hpp"
#include "heddle/task/addition/problem.hpp"
#include "heddle/task/addition/tokens.hpp"
#include "heddle/task/questions.hpp"
#include "heddle/task/shape.hpp"

namespace heddle {

/// n digits: inputs of 2n + 1 words, answers of n + 1. bos=none and pad=zero are defects, see
/// TaskShape::start and unscored_word.
TaskShape addition_shape(const TaskConfig& task);

/// input: 2n + 1 words, output: n + 1.
void write_problem(const Problem& problem, std::span<std::int32_t> input,
                   std::span<std::int32_t> output);
void add_problem(const Problem& problem, Questions& out);
/// All of these problems, in their order.
Questions questions_of(std::span<const Problem> problems);

/// The problem that these words ask; Error for any others.
Problem problem_of(std::span<const std::int32_t> input);

}  // namespace heddle
