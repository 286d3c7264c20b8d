// Every pair by its number, and a bit for each.
#include "heddle/task/addition/census.hpp"

#include <algorithm>

#include "heddle/base/check.hpp"
#include "heddle/base/index.hpp"

namespace heddle {

Census::Census(int digits) : digits_(digits) {
  check<UsageError>(digits <= kLargest,
                    "a census of {}-digit operands would be 10^{} problems: accepted is at most {} "
                    "digits",
                    digits, 2 * digits, kLargest);
  for (int i = 0; i < digits; ++i) operands_ *= 10;
}

Problem Census::at(Index number) const {
  return make_problem(static_cast<std::uint64_t>(number / operands_),
                      static_cast<std::uint64_t>(number % operands_), digits_);
}

Index Census::number_of(const Problem& problem) const {
  Index number = 0;
  for (const Digits* operand : {&problem.a, &problem.b})
    for (int i = digits_; i-- > 0;) number = number * 10 + (*operand)[to_size(i)];
  return number;
}

void Census::block(Index first, Index count, std::vector<Problem>& out) const {
  const Index last = std::min(size(), first + count);
  out.clear();
  for (Index number = first; number < last; ++number) out.push_back(at(number));
}

SeenPairs::SeenPairs(int digits) : census_(digits), bits_(to_size(census_.size())) {}

void SeenPairs::mark_one(Index number) {
  const auto bit = to_size(number);
  count_ += bits_[bit] ? 0 : 1;
  bits_[bit] = true;
}

void SeenPairs::mark(const Problem& problem) {
  mark_one(census_.number_of(problem));
  mark_one(census_.number_of(commuted(problem)));
}

bool SeenPairs::contains(const Problem& problem) const {
  return bits_[to_size(census_.number_of(problem))];
}

SeenPairs seen_in_training(const Addition& addition, Index steps) {
  SeenPairs seen(addition.digits());
  std::vector<Problem> problems;
  for (Index step = 0; step < steps; ++step) {
    addition.train_problems(step, problems);
    for (const Problem& problem : problems) seen.mark(problem);
  }
  return seen;
}

}  // namespace heddle
