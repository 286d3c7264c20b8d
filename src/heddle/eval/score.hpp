// The score of a member on questions of any task: whole answers, forced and greedy always together
// and from one encoding of each question, or labels; broken down by the task's facets.
#pragma once

#include <span>
#include <string>

#include "heddle/eval/blocks.hpp"
#include "heddle/record/score.hpp"
#include "heddle/task/task.hpp"

namespace heddle {

/// The score on an exam; `facets` unless null instead of the task's own.
Score score_exam(const ExamSetup& setup, const Task& task, std::string set, const Exam& exam,
                 const Facets* facets = nullptr);
/// The same on questions that are there already.
Score score_questions(const ExamSetup& setup, const Task& task, std::string set,
                      const Questions& questions);

/// The mean over loss-bearing positions of the entropy of what is asked there: the loss of a model
/// that knows how frequent each answer is and nothing else. Nats.
double prior_entropy(const EncodedQuestions& questions);

}  // namespace heddle
