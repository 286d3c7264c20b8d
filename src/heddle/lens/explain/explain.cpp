// See explain.hpp. Every explanation has a file of its own.
#include "heddle/lens/explain/explain.hpp"

#include "heddle/base/check.hpp"
#include "heddle/lens/explain/parts.hpp"

namespace heddle {

std::vector<SortExplanation> explain_sortedness(std::span<const ExplainMember> members,
                                                const ExplainScale& scale) {
  check<UsageError>(scale.pairs >= 1, "explanations: {} pairs; accepted is 1 or more", scale.pairs);
  for (const Index length : scale.lengths)
    check<UsageError>(length >= 2, "explanations: a length of {}; accepted is 2 or more", length);
  check<UsageError>(scale.map_length_short >= 2 && scale.map_length_long >= 2,
                    "explanations: maps of lengths {} and {}; accepted is 2 or more",
                    scale.map_length_short, scale.map_length_long);
  std::vector<SortExplanation> all;
  const auto add = [&](std::optional<SortExplanation> one) {
    if (one) all.push_back(std::move(*one));
  };
  add(explain_identity(members, scale));
  add(explain_identity_heads(members, scale));
  add(explain_clamping(members, scale));
  add(explain_dispersion(members, scale));
  add(explain_dilution(members, scale));
  add(explain_embedding(members, scale));
  add(explain_smoothness(members, scale));
  add(explain_encodings(members, scale));
  add(explain_attention(members, scale));
  add(explain_ties(members, scale));
  return all;
}

}  // namespace heddle
