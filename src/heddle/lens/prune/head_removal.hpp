// One way down: heads removed one by one, for good, measured anew after each.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "heddle/lens/stats/verdicts.hpp"
#include "heddle/model/cut.hpp"
#include "heddle/record/pruning.hpp"
#include "heddle/task/questions.hpp"

namespace heddle {

/// Sets that share no question: heads are chosen on the first and scored on the second; what
/// stands in for them is their mean on the third.
struct PruneSets {
  Questions choose, score, reference;
  /// More questions on which a head that goes for free may bring no mistake either.
  std::optional<Questions> proof{};
};

struct HeadRemovalOptions {
  PruneOrder by = PruneOrder::measured;
  Index repeat = 0;     ///< which random order
  Index keep = 0;       ///< stop when so many heads are left
  double max_drop = 1;  ///< stop before more than this share of the choosing questions is lost
};
struct HeadRemoval {
  PruneCurve curve;           ///< heads by their names in the whole model
  std::vector<HeadCut> cuts;  ///< the same in the member's own numbering, ready for cut_heads()
};

/// Called again and again while work is done (may throw), and after each removal.
struct HeadRemovalProgress {
  std::function<void()> alive{}, removed{};
};

/// What all removals of one member share.
class Pruner {
 public:
  Pruner(const Member& member, const PruneSets& sets, Team& team);

  Index heads() const { return std::ssize(names_); }
  const Verdicts& scored() const { return scored_; }
  const EncodedQuestions& score_set() const { return score_; }

  HeadRemoval remove_heads(const HeadRemovalOptions& options,
                           const HeadRemovalProgress& progress) const;

 private:
  using Rows = std::vector<std::vector<float>>;  // what stands in for each head

  Verdicts judge(const Member& member, const EncodedQuestions& set,
                 const HeadRemovalProgress& progress) const;
  /// No new mistake on the further questions either.
  bool makes_no_new_mistake(const Member& current, const HeadRemovalProgress& progress) const;
  std::size_t pick(const Member& current, const Rows& rows, const HeadRemovalOptions& options,
                   const HeadRemovalProgress& progress) const;
  std::size_t best_left(const Member& current, const Rows& rows,
                        const HeadRemovalProgress& progress) const;
  std::size_t next_random_head(const Member& current, Index repeat) const;

  const Member& member_;
  Team& team_;
  EncodedQuestions choose_, score_, reference_;
  std::optional<EncodedQuestions> proof_;
  std::vector<std::string> names_;     // of the member's heads, in the whole model
  Verdicts chosen_, scored_, proven_;  // of the member as it came
};

}  // namespace heddle
