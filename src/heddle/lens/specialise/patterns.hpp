// Attention patterns of the greedy run, block by block: sums over any number of problems in a fixed
// amount of memory.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/base/parallel.hpp"
#include "heddle/lens/variants.hpp"
#include "heddle/lens/watch.hpp"
#include "heddle/model/member.hpp"

namespace heddle {

/// One attention that has heads.
struct PatternModule {
  std::string name;  ///< "encoder.0.self"
  AttentionKind kind = AttentionKind::self;
  TapId tap = -1;  ///< of its pattern
  Index heads = 0, queries = 0, keys = 0;

  /// Numbers in one problem's pattern: [head, query, key].
  Index cells() const { return heads * queries * keys; }
  /// Keys that a row may attend to, the first ones: all, or those up to the row itself.
  Index allowed(Index query) const { return kind == AttentionKind::causal_self ? query + 1 : keys; }
};
/// All of them, in the order data passes them, as long as they are on these questions.
std::vector<PatternModule> pattern_modules(const Member& member, const EncodedQuestions& questions);

/// Patterns of one module on a block of questions, [question, head, query, key].
struct PatternBlock {
  std::size_t module = 0;  ///< among pattern_modules()
  ProblemBlock problems;
  std::span<const float> weights;
};
/// Adds what it wants of a block to `sums`. Threads call it at once, each with sums of its own.
using AddPattern = std::function<void(const PatternBlock&, std::span<double> sums)>;

/// Answers the questions, which are equally long, passes once over what was read (since a position
/// sees only what stands before it, these are the patterns of the greedy run) and returns `size`
/// sums. Blocks do not depend on the team and are added in their order: same bits for any number of
/// threads. `progress` counts questions, first those answered, then those passed over; it may
/// throw.
std::vector<double> sum_patterns(const Member& member, const EncodedQuestions& questions,
                                 std::size_t size, Team& team, const AddPattern& add,
                                 const DecodeProgress& progress = {});

}  // namespace heddle
