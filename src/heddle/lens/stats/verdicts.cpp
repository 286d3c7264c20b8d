// See verdicts.hpp.
#include "heddle/lens/stats/verdicts.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "heddle/base/index.hpp"

namespace heddle {
namespace {

/// The largest logit other than the wanted one; its token goes to `best_other`.
float runner_up(std::span<const float> row, std::int32_t wanted, std::int32_t& best_other) {
  float best = -std::numeric_limits<float>::infinity();
  for (std::size_t token = 0; token < row.size(); ++token) {
    if (static_cast<std::int32_t>(token) == wanted || row[token] <= best) continue;
    best = row[token];
    best_other = static_cast<std::int32_t>(token);
  }
  return best;
}

class Judge {
 public:
  explicit Judge(const EncodedQuestions& set) : set_(set) {}

  Verdicts blank() const {
    const std::size_t answers = set_.wanted.size();
    return {.positions = set_.positions(),
            .asked = std::ssize(set_.wanted) - std::ranges::count(set_.wanted, kNoTarget),
            .right = std::vector<std::uint8_t>(to_size(set_.size)),
            .tokens = std::vector<std::uint8_t>(answers),
            .margins = std::vector<float>(answers)};
  }

  void judge(const ProblemBlock& block, const Tensor& logits, Verdicts& verdicts) const {
    const auto length = to_size(verdicts.positions);
    const auto choices = to_size(logits.dim(-1));
    const auto numbers = logits.flat<float>();
    for (Index row = 0; row < block.count; ++row) {
      const Index problem = block.first + row;
      const auto first = to_size(problem) * length;
      bool all = true;
      for (std::size_t t = 0; t < length; ++t) {
        const std::int32_t wanted = set_.wanted[first + t];
        if (wanted == kNoTarget) continue;
        const auto here = numbers.subspan((to_size(row) * length + t) * choices, choices);
        std::int32_t other = 0;
        const float best = runner_up(here, wanted, other);
        const float mine = here[to_size(wanted)];
        // The first of equals is what decoding takes.
        const bool right = mine > best || (mine == best && wanted < other);
        all = all && right;
        verdicts.tokens[first + t] = right ? 1 : 0;
        verdicts.margins[first + t] = mine - best;
      }
      verdicts.right[to_size(problem)] = all && !set_.cannot_be_right(problem) ? 1 : 0;
    }
  }

 private:
  const EncodedQuestions& set_;
};

}  // namespace

Count Verdicts::count() const {
  return {.correct = std::accumulate(right.begin(), right.end(), std::int64_t{0}),
          .total = static_cast<std::int64_t>(right.size())};
}

double Verdicts::mean_margin() const {
  double sum = 0;
  for (const float margin : margins) sum += static_cast<double>(margin);
  return asked == 0 ? 0 : sum / static_cast<double>(asked);
}

std::vector<Verdicts> judge_variants(const Member& member, const EncodedQuestions& set,
                                     std::span<const Variant> variants, Team& team,
                                     const VariantProgress& progress) {
  const Judge judge(set);
  std::vector<Verdicts> verdicts(variants.size() + 1, judge.blank());
  run_variants(
      member, set, variants, team,
      [&](int variant, const ProblemBlock& block, const Tensor& logits) {
        judge.judge(block, logits, verdicts[to_size(variant) + 1]);
      },
      progress);
  return verdicts;
}

}  // namespace heddle
