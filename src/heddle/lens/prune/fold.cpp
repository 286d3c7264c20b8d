// See fold.hpp.
#include "heddle/lens/prune/fold.hpp"

#include <algorithm>

#include "heddle/base/text.hpp"

namespace heddle {
namespace {

const Head& head_called(std::span<const Head> heads, const std::string& name) {
  const auto found = std::ranges::find(heads, name, &Head::name);
  check<UsageError>(found != heads.end(), "{} is no head of this model", quote(name));
  return *found;
}

}  // namespace

std::vector<std::vector<float>> folded_outputs(const Member& member,
                                               const EncodedQuestions& reference, Team& team) {
  check<UsageError>(reference.size > 0, "folding: no problems to take means from");
  const HeadOutputs outputs(member, reference, team);
  const Index width = member.config.model.d_head();
  std::vector<std::vector<float>> rows;
  for (const Head& head : heads_of(member)) {
    std::vector<float>& row = rows.emplace_back();
    for (Index e = 0; e < width; ++e) {
      double sum = 0, weight = 0;
      for (Index t = 0; t < outputs.positions(head); ++t) {
        const double share = outputs.share(head, t);
        sum += share * static_cast<double>(outputs.mean(head, t)[e]);
        weight += share;
      }
      row.push_back(static_cast<float>(sum / weight));
    }
  }
  return rows;
}

std::vector<HeadCut> folded_cuts(const Member& member, std::span<const std::string> heads,
                                 const EncodedQuestions& reference, Team& team) {
  const std::vector<Head> all = heads_of(member);
  for (const std::string& name : heads) (void)head_called(all, name);
  const auto rows = folded_outputs(member, reference, team);
  std::vector<HeadCut> cuts;
  for (std::size_t h = 0; h < all.size(); ++h)
    if (std::ranges::find(heads, all[h].name) != heads.end())
      cuts.push_back({.head = all[h].name, .output = rows[h]});
  return cuts;
}

Variant mask_heads(const Member& member, std::vector<HeadCut> cuts) {
  const std::vector<Head> all = heads_of(member);
  std::vector<Head> heads;
  for (const HeadCut& cut : cuts) heads.push_back(head_called(all, cut.head));
  return replace_heads(heads, [cuts = std::move(cuts)](const Head& head, Index, Index) {
    const auto cut = std::ranges::find(cuts, head.name, &HeadCut::head);
    return cut->output.empty() ? nullptr : cut->output.data();
  });
}

}  // namespace heddle
