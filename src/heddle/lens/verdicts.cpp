// See verdicts.hpp.
#include "heddle/lens/verdicts.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace heddle {
namespace {

/// What the decoder should say at every position, loss-bearing or not.
std::vector<std::int32_t> expected_tokens(const ForcedSet& set) {
  const Index length = set.batch().target_length;
  std::vector<std::int32_t> tokens(static_cast<std::size_t>(set.size() * length));
  for (Index i = 0; i < set.size(); ++i)
    set.encoding().expected(set.problems()[static_cast<std::size_t>(i)],
                            std::span(tokens).subspan(static_cast<std::size_t>(i * length),
                                                      static_cast<std::size_t>(length)));
  return tokens;
}

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
  explicit Judge(const ForcedSet& set) : set_(set), expected_(expected_tokens(set)) {}

  Verdicts blank() const {
    const auto problems = static_cast<std::size_t>(set_.size());
    const Index positions = set_.batch().target_length;
    return {.positions = positions,
            .right = std::vector<std::uint8_t>(problems),
            .tokens = std::vector<std::uint8_t>(expected_.size()),
            .margins = std::vector<float>(expected_.size())};
  }

  void judge(const ProblemBlock& block, const Tensor& logits, Verdicts& verdicts) const {
    const auto length = static_cast<std::size_t>(verdicts.positions);
    const auto vocabulary = static_cast<std::size_t>(logits.dim(-1));
    const auto numbers = logits.flat<float>();
    std::vector<std::int32_t> said(length);
    for (Index row = 0; row < block.count; ++row) {
      const auto problem = static_cast<std::size_t>(block.first + row);
      for (std::size_t t = 0; t < length; ++t) {
        const auto here =
            numbers.subspan((static_cast<std::size_t>(row) * length + t) * vocabulary, vocabulary);
        const std::int32_t wanted = expected_[problem * length + t];
        std::int32_t other = 0;
        const float best = runner_up(here, wanted, other);
        const float mine = here[static_cast<std::size_t>(wanted)];
        // The first of equals is what decoding takes.
        const bool right = mine > best || (mine == best && wanted < other);
        said[t] = right ? wanted : other;
        verdicts.tokens[problem * length + t] = right ? 1 : 0;
        verdicts.margins[problem * length + t] = mine - best;
      }
      verdicts.right[problem] = set_.encoding().correct(set_.problems()[problem], said) ? 1 : 0;
    }
  }

 private:
  const ForcedSet& set_;
  std::vector<std::int32_t> expected_;
};

}  // namespace

Count Verdicts::count() const {
  return {.correct = std::accumulate(right.begin(), right.end(), std::int64_t{0}),
          .total = static_cast<std::int64_t>(right.size())};
}

double Verdicts::mean_margin() const {
  double sum = 0;
  for (const float margin : margins) sum += static_cast<double>(margin);
  return margins.empty() ? 0 : sum / static_cast<double>(margins.size());
}

std::vector<Verdicts> judge_variants(const Member& member, const ForcedSet& set,
                                     std::span<const Variant> variants, Team& team,
                                     const VariantProgress& progress) {
  const Judge judge(set);
  std::vector<Verdicts> verdicts(variants.size() + 1, judge.blank());
  run_variants(
      member, set, variants, team,
      [&](int variant, const ProblemBlock& block, const Tensor& logits) {
        judge.judge(block, logits, verdicts[static_cast<std::size_t>(variant) + 1]);
      },
      progress);
  return verdicts;
}

}  // namespace heddle
