// The rows of op_cases.hpp for poolings.
#include <array>

#include "heddle/ops/pooling/pool_attention.hpp"
#include "heddle/ops/pooling/pool_verdicts.hpp"
#include "heddle/ops/pooling/pooling.hpp"
#include "tests/support/ops/op_cases.hpp"
#include "tests/support/ops/pool_rows.hpp"

namespace heddle::testing {
namespace {

using Vars = std::span<const Var>;

// Padding between tokens; a sequence of a single token.
constexpr std::array<std::uint8_t, 8> kPoolValid{1, 0, 1, 1, 0, 1, 0, 0};

struct PoolCase {
  std::string name;
  OpInput input;
  PoolOp op;
  double terms;
};

/// Each pooling without padding and with it.
void add_poolings(std::vector<OpCase>& rows) {
  const OpInput x{{2, 4, 3}}, s{{2, 4}, 3}, wide{{2, 4}, 30};
  const std::array<PoolCase, 7> poolings{
      PoolCase{"pool_mean", x, pool_mean, 6},          PoolCase{"pool_max", x, pool_max, 2},
      PoolCase{"pool_multi", x, pool_multi, 6},        PoolCase{"noisy_or", s, noisy_or, 16},
      PoolCase{"noisy_or_extreme", wide, noisy_or, 8}, PoolCase{"token_max", s, token_max, 2},
      PoolCase{"token_lse", s, token_lse, 16}};
  for (const PoolCase& each : poolings)
    for (const bool padded : {false, true})
      rows.push_back({each.name + (padded ? "_padded" : ""),
                      {each.input},
                      [op = each.op, valid = padded ? kPoolValid.data() : nullptr](Vars v) {
                        return op(v[0], valid);
                      },
                      each.terms});
  rows.push_back({"pool_pick", {x}, [](Vars v) { return pool_pick(v[0], nullptr, 1); }, 1});
  rows.push_back({"pool_pick_last",
                  {x},
                  [](Vars v) { return pool_pick(v[0], kPoolValid.data(), kLastToken); },
                  1});
}

void add_pool_attention(std::vector<OpCase>& rows) {
  const OpInput scores{{2, 4, 3}, 2}, by_head{{3}, 1, true};
  for (const bool padded : {false, true})
    rows.push_back({padded ? "pool_weights_padded" : "pool_weights",
                    {scores, by_head, by_head},
                    [valid = padded ? kPoolValid.data() : nullptr](Vars v) {
                      return pool_weights(
                          {.scores = v[0], .sink = v[1], .sharpness = v[2], .valid = valid});
                    },
                    16});
  rows.push_back(
      {"pool_mix", {{{2, 3, 4}}, {{2, 4, 3, 2}}}, [](Vars v) { return pool_mix(v[0], v[1]); }, 6});
}

}  // namespace

void add_pooling_cases(std::vector<OpCase>& rows) {
  add_poolings(rows);
  add_pool_attention(rows);
}

}  // namespace heddle::testing
