// How fast members answer: forward passes with the true prefix, measured in turn.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "heddle/base/parallel.hpp"
#include "heddle/model/input.hpp"
#include "heddle/model/member.hpp"

namespace heddle {

/// Problems per second of each member: the median over `rounds` rounds, in each of which every
/// member is measured once for about `seconds`, one after the other, so that what else the machine
/// does hits all of them alike. `between` is called between measurements and may throw.
struct ForwardTiming {
  const EncodedQuestions& set;
  int rounds = 7;
  double seconds = 0.1;
  std::function<void()> between;
};
std::vector<double> forward_speeds(std::span<const Member* const> members,
                                   const ForwardTiming& timing, Team& team);

}  // namespace heddle
