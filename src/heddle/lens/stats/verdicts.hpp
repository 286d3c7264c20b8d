// What a member or a variant of it answered, problem by problem: right or wrong, and by how much.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heddle/lens/variants.hpp"
#include "heddle/record/score.hpp"

namespace heddle {

struct Verdicts {
  Index positions = 0;
  Index asked = 0;                   ///< positions of all problems where something is asked
  std::vector<std::uint8_t> right;   ///< [problem] the whole answer, as greedy decoding gives it
  std::vector<std::uint8_t> tokens;  ///< [problem, position] the token there, given the true prefix
  std::vector<float> margins;        ///< [problem, position] its logit less the best other one; 0
                                     ///< where nothing is asked

  Count count() const;
  double mean_margin() const;
};

/// The intact member's verdicts first, then those of each variant.
std::vector<Verdicts> judge_variants(const Member& member, const EncodedQuestions& set,
                                     std::span<const Variant> variants, Team& team,
                                     const VariantProgress& progress = {});

}  // namespace heddle
