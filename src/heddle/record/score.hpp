// What an evaluation of an adder found: counts, told apart in every way the report needs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

struct Count {
  std::int64_t correct = 0;
  std::int64_t total = 0;

  void add(bool right) {
    correct += right ? 1 : 0;
    ++total;
  }
  Count& operator+=(const Count& other) {
    correct += other.correct;
    total += other.total;
    return *this;
  }
  double share() const {
    return total == 0 ? 0.0 : static_cast<double>(correct) / static_cast<double>(total);
  }
  friend bool operator==(const Count&, const Count&) = default;

  static void fields(auto& self, auto&& field) {
    field("correct", self.correct);
    field("total", self.total);
  }
};

/// Greedy and teacher-forced scores of one member on one set of problems.
struct AdditionScore {
  std::string set;                 ///< "validation", "test", "census"
  Count greedy;                    ///< whole answers, decoded
  Count teacher_forced;            ///< problems with every loss-bearing position right
  Count teacher_forced_tokens;     ///< loss-bearing positions
  std::int64_t disagreements = 0;  ///< problems that only one of the two gets right: a defect
  std::vector<Count> by_carries;   ///< greedy, by number of carries
  std::vector<Count> by_cascade;   ///< greedy, by longest cascade
  std::vector<Count> by_digit;     ///< greedy, by column of the sum, units first
  Count top_carry;                 ///< greedy, problems whose sum has one digit more
  Count seen, unseen;              ///< greedy, pairs (either order) drawn in training or not
  double loss = 0;                 ///< mean over loss-bearing positions, nats
  std::vector<std::int64_t> first_tokens;  ///< how often greedy decoding began with each token
  std::vector<std::string> mistakes;       ///< the first few wrong answers: "374+814=0188"

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
