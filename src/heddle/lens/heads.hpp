// The heads of a member, what they put out on a reference set, and edits that replace it.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "heddle/lens/variants.hpp"

namespace heddle {

/// One head: a slice of its module's z.
struct Head {
  std::string name;    ///< "encoder.0.self.head.3"
  std::string module;  ///< "encoder.0.self"
  int module_number = 0;
  Index index = 0;  ///< within its module
  TapId z = -1;
};
/// All heads, in the order data passes them.
std::vector<Head> heads_of(const Member& member);

/// z of every attention on a set of reference problems, and its mean at every position.
class HeadOutputs {
 public:
  HeadOutputs(const Member& member, const EncodedQuestions& reference, Team& team);

  Index problems() const { return problems_; }
  /// d_head numbers of this head on this problem at this position; the mean where it is padding.
  const float* at(const Head& head, Index problem, Index position) const;
  /// The mean over all problems that have this position.
  const float* mean(const Head& head, Index position) const;
  /// The share of the problems that do.
  double share(const Head& head, Index position) const;
  Index positions(const Head& head) const;

 private:
  struct Module {
    Index positions = 0, heads = 0, width = 0;
    std::vector<float> z;     // [problem, position, head, feature]
    std::vector<float> mean;  // [position, head, feature]
    std::vector<Index> used;  // [problem] positions that are no padding
  };
  Module blank(const EncodedQuestions& reference, const TapPoint& z) const;
  void take_means(Module& module) const;

  Index problems_ = 0;
  std::vector<Module> modules_;
};

/// What stands in for a head: d_head numbers for a problem (numbered in the scored set) and a
/// position; null for zeros.
using HeadFill = std::function<const float*(const Head&, Index problem, Index position)>;

HeadFill zero_fill();
/// `outputs` must outlive the fill.
HeadFill mean_fill(const HeadOutputs& outputs);
/// Reference problem donors[i] stands in for problem i; both must outlive the fill.
HeadFill donor_fill(const HeadOutputs& outputs, std::span<const Index> donors);

/// The member with these heads replaced.
Variant replace_heads(std::vector<Head> heads, const HeadFill& fill);
/// Hangs the same on edits for one block.
void add_head_edits(Edits& edits, std::span<const Head> heads, const HeadFill& fill,
                    const ProblemBlock& block);

}  // namespace heddle
