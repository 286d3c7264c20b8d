// What a lens asks: parts of a task's sets, or inputs that the user types; and how a member reads
// them.
#pragma once

#include <string>
#include <vector>

#include "heddle/model/input.hpp"
#include "heddle/model/member.hpp"
#include "heddle/task/task.hpp"

namespace heddle {

/// Questions first … first + most − 1 of a set, as far as it goes; UsageError where there are none.
Questions some_of(const Questions& all, Index first, Index most);

/// Whether the task knows the right answer to an input; UsageError for what is no input of it.
bool knows_answer(const Task& task, const std::string& input);

/// Inputs as the user types them, with their right answers: those that the user gives (`answers`;
/// an empty one, or none at all, is not given), else those that the task knows. UsageError where
/// neither does.
Questions typed_questions(const Task& task, const std::vector<std::string>& inputs,
                          const std::vector<std::string>& answers = {});

/// The same where right answers do not matter: where the task does not know one, what was said
/// (tokens, or the class) stands for it, or an empty one.
Questions asked_questions(const Task& task, const std::vector<std::string>& inputs,
                          const std::vector<std::vector<std::int32_t>>& said = {});

/// The right answer as a reader writes it.
std::string right_text(const Task& task, const Question& question);

}  // namespace heddle
