// Rows of op_cases for positions inside attention and for normalisers.
#include <array>
#include <cstdint>

#include "heddle/ops/attention.hpp"
#include "heddle/ops/dense_scores.hpp"
#include "heddle/ops/distance.hpp"
#include "heddle/ops/entmax.hpp"
#include "heddle/ops/log_n.hpp"
#include "heddle/ops/rotary.hpp"
#include "tests/support/ops/op_cases.hpp"

namespace heddle::testing {
namespace {

using Vars = std::span<const Var>;

constexpr std::array<VisibleSide, 2> kSplit{VisibleSide::before, VisibleSide::after};
constexpr std::array<std::uint8_t, 10> kValid{1, 1, 0, 1, 0, 0, 1, 1, 1, 1};
constexpr std::array<double, 6> kRelativePlaces{0, 3, 4.5, 100, 2, 1};

struct RelativeMaskCase {
  std::string name;
  Index queries, keys;
  AttentionMask mask;
};

/// With a table for both heads of which one looks back and one ahead: fused and in steps.
void add_biased_attention(std::vector<OpCase>& rows) {
  const std::array<RelativeMaskCase, 4> masks{
      RelativeMaskCase{"self", 5, 5, {}}, RelativeMaskCase{"causal", 5, 5, {.causal = true}},
      RelativeMaskCase{"offset", 2, 5, {.causal = true, .offset = 2}},
      RelativeMaskCase{"padded", 5, 5, {.key_valid = kValid.data()}}};
  for (const RelativeMaskCase& each : masks) {
    const OpInput q{{2, each.queries, 2, 3}}, k{{2, each.keys, 2, 3}}, table{{2, 9}, 1, true};
    rows.push_back({"attention_by_distance_" + each.name,
                    {q, k, k, table},
                    [mask = each.mask](Vars v) {
                      const Var seen = masked_table(v[3], kSplit);
                      return attention(v[0], v[1], v[2], mask, &seen);
                    },
                    24});
    rows.push_back({"attention_steps_by_distance_" + each.name,
                    {q, k, k, table},
                    [mask = each.mask](Vars v) {
                      const Var seen = masked_table(v[3], kSplit);
                      return attention_mix(
                          attention_pattern(attention_scores(v[0], v[1], mask, &seen)), v[2]);
                    },
                    24});
    rows.push_back({"attention_entmax_" + each.name,
                    {q, k, k, table},
                    [mask = each.mask](Vars v) {
                      const Var seen = masked_table(v[3], kSplit);
                      return attention_mix(entmax15(attention_scores(v[0], v[1], mask, &seen)),
                                           v[2]);
                    },
                    24});
  }
}

void add_tables(std::vector<OpCase>& rows) {
  const OpInput heads{{3}, 1, true};
  rows.push_back({"alibi_table", {heads}, [](Vars v) { return alibi_table(v[0], 4); }, 16});
  rows.push_back(
      {"bucket_table", {{{2, 7}, 1, true}}, [](Vars v) { return bucket_table(v[0], 9, 6); }, 12});
  rows.push_back(
      {"kerple_table", {heads, heads}, [](Vars v) { return kerple_table(v[0], v[1], 4); }, 16});
}

void add_normalisers(std::vector<OpCase>& rows) {
  rows.push_back({"entmax15", {{{2, 2, 3, 7}, 2}}, [](Vars v) { return entmax15(v[0]); }, 12});
  rows.push_back(
      {"scale_log_n",
       {{{2, 3, 2, 4}}, {{2}, 1, true}},
       [](Vars v) {
         return scale_log_n(
             v[0], v[1],
             {.mask = {.offset = 1, .key_valid = kValid.data()}, .keys = 5, .heads = kSplit});
       },
       30});
}

}  // namespace

void add_relative_cases(std::vector<OpCase>& rows) {
  add_biased_attention(rows);
  add_tables(rows);
  add_normalisers(rows);
  const OpInput x{{2, 3, 2, 4}}, one{{1}, 1, true};
  rows.push_back(
      {"rotate", {x}, [](Vars v) { return rotate(v[0], {.base = 100, .first = 7}); }, 4});
  rows.push_back(
      {"rotate_to_places",
       {x},
       [](Vars v) { return rotate(v[0], {.base = 50, .places = kRelativePlaces.data()}); },
       4});
  rows.push_back(
      {"shaw_scores",
       {x, {{5, 2, 4}, 1, true}},
       [](Vars v) { return shaw_scores(v[0], v[1], {.first = 2, .count = 3, .keys = 6}); },
       24});
  // ln L of 3 or below 1: all places stand before L, or hardly any.
  const auto fire = [](Vars v) {
    return fire_scores({.log_c = v[0], .log_l = v[1], .w1 = v[2], .b1 = v[3], .w2 = v[4]},
                       {.first = 1, .count = 3, .keys = 5});
  };
  const OpInput w1{{2, 6}, 1, true}, b1{{6}, 1, true, true}, w2{{6, 2}, 1, true};
  rows.push_back({"fire_scores", {one, one, w1, b1, w2}, fire, 40});
  rows.push_back(
      {"fire_scores_within_its_length", {one, {{1}, 1, true, true}, w1, b1, w2}, fire, 40});
  rows.push_back({"add_scores",
                  {{{3, 2, 2, 4}}, {{1, 2, 2, 4}}},
                  [](Vars v) { return add_scores(v[0], v[1]); },
                  6});
}

}  // namespace heddle::testing
