// Carries column by column.
#include "heddle/task/addition/carries.hpp"

#include <algorithm>

#include "heddle/base/index.hpp"

namespace heddle {

Carries carries_of(const Problem& problem) {
  Carries carries;
  bool carry = false;
  int run = 0;
  for (std::size_t i = 0; i < to_size(problem.digits); ++i) {
    const int column = problem.a[i] + problem.b[i];
    run = column == 9 && carry ? run + 1 : 0;
    carry = column + (carry ? 1 : 0) >= 10;
    carries.out[i] = carry;
    carries.count += carry ? 1 : 0;
    carries.cascade = std::max(carries.cascade, run);
  }
  carries.top = carry;
  return carries;
}

Makeup::Makeup(int digits)
    : by_carries(to_size(digits) + 1), by_cascade(to_size(std::max(digits, 1))) {}

void Makeup::add(const Problem& problem) {
  const Carries carries = carries_of(problem);
  ++count;
  ++by_carries[to_size(carries.count)];
  ++by_cascade[to_size(carries.cascade)];
  cascades += carries.cascade >= 1 ? 1 : 0;
  double_cascades += carries.cascade >= 2 ? 1 : 0;
  top_carries += carries.top ? 1 : 0;
}

Makeup makeup_of(std::span<const Problem> problems, int digits) {
  Makeup makeup(digits);
  for (const Problem& problem : problems) makeup.add(problem);
  return makeup;
}

}  // namespace heddle
