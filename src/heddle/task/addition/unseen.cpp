// See unseen.hpp.
#include "heddle/task/addition/unseen.hpp"

#include <fmt/core.h>

#include "heddle/base/index.hpp"
#include "heddle/base/rng.hpp"
#include "heddle/task/addition/carry_balance.hpp"

namespace heddle {

UnseenProblems::UnseenProblems(const Addition& addition, Index steps)
    : seed_(addition.seed()),
      digits_(addition.digits()),
      full_length_(!addition.train_set().empty()) {
  std::vector<Problem> problems;
  for (Index step = 0; step < steps; ++step) {
    addition.train_problems(step, problems);
    for (const Problem& problem : problems) taken_.insert(problem);
  }
  for (const Problem& problem : addition.validation_problems()) taken_.insert(problem);
  for (const Problem& problem : addition.test_problems()) taken_.insert(problem);
}

std::vector<Problem> UnseenProblems::draw(Index count, std::string_view name) {
  constexpr Index kPatience = 1000;  // draws in a row that bring nothing new
  Rng rng(seed_, fmt::format("unseen.{}", name));
  std::vector<Problem> problems;
  const auto top = to_size(digits_) - 1;
  for (Index vain = 0; std::ssize(problems) < count && vain < kPatience;) {
    const Problem problem = draw_uniform(rng, digits_);
    if (full_length_ && (problem.a[top] == 0 || problem.b[top] == 0)) continue;
    if (taken_.insert(problem)) {
      problems.push_back(problem);
      vain = 0;
    } else {
      ++vain;
    }
  }
  return problems;
}

}  // namespace heddle
