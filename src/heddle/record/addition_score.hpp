// The score of an adder as results.json of its study lists it: each facet under its own name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heddle/record/score.hpp"

namespace heddle {

struct AdditionScore {
  std::string set;                    ///< "unseen", "census"
  Count greedy;                       ///< whole answers, decoded
  Count teacher_forced;               ///< problems with every loss-bearing position right
  Count teacher_forced_tokens;        ///< loss-bearing positions
  std::int64_t disagreements = 0;     ///< problems that only one of the two gets right: a defect
  std::vector<Count> by_carries;      ///< greedy, by number of carries
  std::vector<Count> by_cascade;      ///< greedy, by longest cascade
  std::vector<Count> by_digit;        ///< greedy, by column of the sum, units first
  Count top_carry;                    ///< greedy, problems whose sum has one digit more
  Count seen, unseen;                 ///< greedy, pairs (either order) drawn in training or not
  double loss = 0;                    ///< mean over loss-bearing positions, nats
  std::vector<std::string> mistakes;  ///< the first few wrong answers: "374+814=0188"

  AdditionScore() = default;
  explicit AdditionScore(const Score& score);

  static void fields(auto& self, auto&& field) {
    field("set", self.set);
    field("greedy", self.greedy);
    field("teacher_forced", self.teacher_forced);
    field("teacher_forced_tokens", self.teacher_forced_tokens);
    field("disagreements", self.disagreements);
    field("by_carries", self.by_carries);
    field("by_cascade", self.by_cascade);
    field("by_digit", self.by_digit);
    field("top_carry", self.top_carry);
    field("seen", self.seen);
    field("unseen", self.unseen);
    field("loss", self.loss);
    field("mistakes", self.mistakes);
  }
};

}  // namespace heddle
