// The heads that matter for one answer.
#pragma once

#include <string>
#include <vector>

#include "heddle/lens/heads.hpp"
#include "heddle/task/questions.hpp"

namespace heddle {

/// The loss of logit margin, summed over the positions where the answer's own token stands, when
/// the head's mean takes its place.
struct HeadEffect {
  std::string head;
  double effect = 0;
};
/// Of the first question of `asked`, means over `reference`; largest effect first.
std::vector<HeadEffect> heads_behind(const Member& member, const Questions& asked,
                                     const Questions& reference, Team& team);

}  // namespace heddle
