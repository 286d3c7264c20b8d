// Heads of different members paired by what they attend to. Indices are exchangeable between seeds:
// head 3 of one has nothing to do with head 3 of another.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "heddle/record/addition_study.hpp"
#include "heddle/record/attention.hpp"

namespace heddle {

/// For every head of `a` (in the order of a.roles) its partner in `b` (a place in b.roles): within
/// each module the pairing with the least sum of squared differences of the attention measures that
/// both have. Effects take no part. Error where the two have other modules or numbers of heads.
std::vector<std::size_t> match_heads(const Specialisation& a, const Specialisation& b);

/// The rank correlation of effects over matched heads; effects in the order of the roles.
double agreement_of(std::span<const std::size_t> partners, std::span<const double> effects_a,
                    std::span<const double> effects_b);

/// Do heads that attend alike have like effects? Over all pairs of members (200 of them, drawn,
/// where there are more): heads matched by attention, effects being the loss of logit margin when
/// the head's mean takes its place (Ablation, mode "mean"; to be measured on other problems than
/// the attention). Fewer than two members: no pairs, p = 1.
///   agreement  mean over pairs of members of the rank correlation of effects, all heads together
///   low, high  t interval over jackknife values, one per member (N·all − (N−1)·without it): pairs
///              share members, so they are not the unit; −1 … 1 for two members, who have no other
///   random     the same mean with the effects of every member shuffled within its modules: each
///              pairing is then a random one within modules, and pairs share members as before;
///              mean of 1,000 draws. Above 0 where modules differ in their effects as such
///   p          (1 + draws that agree at least as well) / (1 + draws)
Matching match_population(std::span<const MemberRecord> members);

}  // namespace heddle
