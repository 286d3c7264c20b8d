// See addition_score.hpp.
#include "heddle/record/addition_score.hpp"

namespace heddle {

AdditionScore::AdditionScore(const Score& score)
    : set(score.set),
      greedy(score.greedy),
      teacher_forced(score.teacher_forced),
      teacher_forced_tokens(score.teacher_forced_tokens),
      disagreements(score.disagreements),
      by_carries(score.counts("by_carries")),
      by_cascade(score.counts("by_cascade")),
      by_digit(score.counts("by_digit")),
      top_carry(score.count("top_carry")),
      seen(score.count("seen")),
      unseen(score.count("unseen")),
      loss(score.loss),
      mistakes(score.mistakes) {}

}  // namespace heddle
