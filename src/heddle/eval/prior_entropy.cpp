// See score.hpp: the loss of knowing nothing but frequencies.
#include <cmath>
#include <map>

#include "heddle/eval/score.hpp"

namespace heddle {

double prior_entropy(const EncodedQuestions& questions) {
  const Index positions = questions.positions();
  double sum = 0, all = 0;
  for (Index place = 0; place < positions; ++place) {
    std::map<std::int32_t, double> counts;
    double total = 0;
    for (Index row = 0; row < questions.size; ++row) {
      const std::int32_t target = questions.targets(row)[place];
      if (target == kNoTarget) continue;
      ++counts[target];
      ++total;
    }
    for (const auto& [target, count] : counts) sum -= count * std::log(count / total);
    all += total;
  }
  return all > 0 ? sum / all : 0;
}

}  // namespace heddle
