// How much the loss leans on each head, by its gradient.
#pragma once

#include <vector>

#include "heddle/lens/heads.hpp"

namespace heddle {

/// Gradient importance (Michel, Levy and Neubig 2019): I_h = E_x | Σ z_h · ∂L/∂z_h |, the sum over
/// positions and features of one problem x, L = −ln P(its true answer) given the true prefix. It is
/// the slope of the loss along a factor on the head's output, so it sees no further than that:
/// where the loss is flat it says little. One number per head, in the order of heads_of().
std::vector<double> head_importance(const Member& member, const EncodedQuestions& set, Team& team);

}  // namespace heddle
