// See heads_behind.hpp.
#include "heddle/lens/ablate/heads_behind.hpp"

#include <algorithm>
#include <functional>

#include "heddle/base/index.hpp"
#include "heddle/lens/asked.hpp"
#include "heddle/lens/stats/verdicts.hpp"

namespace heddle {

std::vector<HeadEffect> heads_behind(const Member& member, const Questions& asked,
                                     const Questions& reference, Team& team) {
  const HeadOutputs outputs(member, encoded(member, reference), team);
  const std::vector<Head> heads = heads_of(member);
  std::vector<Variant> variants;
  for (const Head& head : heads) variants.push_back(replace_heads({head}, mean_fill(outputs)));
  const std::vector<Verdicts> verdicts =
      judge_variants(member, encoded(member, asked), variants, team);
  std::vector<HeadEffect> effects;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    double lost = 0;
    for (std::size_t t = 0; t < to_size(verdicts[0].positions); ++t)
      lost += static_cast<double>(verdicts[0].margins[t] - verdicts[i + 1].margins[t]);
    effects.push_back({heads[i].name, lost});
  }
  std::ranges::stable_sort(effects, std::greater{}, &HeadEffect::effect);
  return effects;
}

}  // namespace heddle
