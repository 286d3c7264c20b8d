// What taking heads out of a member did to its answers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heddle/record/kinds.hpp"
#include "heddle/record/score.hpp"

namespace heddle {

/// What a drop of this share of the answers is called.
Band band_of(double drop);

/// One ablation against the intact member, on the same problems.
struct Effect {
  std::string what;  ///< "encoder.0.self.head.3", or a module: "decoder.1.cross"
  AblationMode mode = AblationMode::mean;
  Count count;                        ///< right answers left; resample: over all donors
  double drop = 0;                    ///< share of the answers lost
  double low = 0, high = 0;           ///< its 95 % interval
  double p = 1;                       ///< exact McNemar (resample: sign test over problems)
  double p_holm = 1;                  ///< after Holm over heads × modes
  double margin_drop = 0;             ///< mean loss of logit margin over output positions
  std::vector<double> by_digit;       ///< drop by column of the sum, units first
  std::vector<double> by_carries;     ///< drop by number of carries; null where there is no problem
  std::vector<double> by_position{};  ///< drop by position of the answer, where it has no digits
  Band band = Band::redundant;

  static void fields(auto& self, auto&& field) {
    field("head", self.what);
    field("mode", self.mode);
    field("correct", self.count.correct);
    field("total", self.count.total);
    field("drop", self.drop);
    field("low", self.low);
    field("high", self.high);
    field("p", self.p);
    field("p_holm", self.p_holm);
    field("margin_drop", self.margin_drop);
    field("by_digit", self.by_digit);
    field("by_carries", self.by_carries);
    if (!self.by_position.empty()) field("by_position", self.by_position);
    field("band", self.band);
  }
};

/// Two heads out at once.
struct PairEffect {
  std::string a, b;
  Count count;
  double drop = 0, low = 0, high = 0;
  double excess = 0;  ///< drop − (drop of a + drop of b): above 0 they stand in for each other

  static void fields(auto& self, auto&& field) {
    field("a", self.a);
    field("b", self.b);
    field("correct", self.count.correct);
    field("total", self.count.total);
    field("drop", self.drop);
    field("low", self.low);
    field("high", self.high);
    field("excess", self.excess);
  }
};

struct Ablation {
  Count baseline;                    ///< the intact member
  double margin = 0;                 ///< its mean logit margin
  std::int64_t reference = 0;        ///< problems that means and donors come from
  std::int64_t donors = 0;           ///< per problem, resample
  std::vector<Effect> heads;         ///< head × mode
  std::vector<Effect> modules;       ///< all heads of a module at once
  std::vector<Effect> leave_one_in;  ///< all heads of the module but this one
  std::vector<PairEffect> pairs;     ///< mean mode
  /// All heads at once whose single ablation in this mode costs at most 1 or 5 points: what the
  /// reports called prunable. `what` is "within 1 point" or "within 5 points".
  std::vector<Effect> together;

  static void fields(auto& self, auto&& field) {
    field("baseline", self.baseline);
    field("margin", self.margin);
    field("reference", self.reference);
    field("donors", self.donors);
    field("heads", self.heads);
    field("modules", self.modules);
    field("leave_one_in", self.leave_one_in);
    field("pairs", self.pairs);
    field("together", self.together);
  }
};

/// The effects of one mode, what matters most first: the largest drop, among equals the largest
/// loss of margin, then the name. Numbers that are none come last. The head that a claim judges and
/// row 1 of every table are the first of these.
std::vector<const Effect*> ranked(const std::vector<Effect>& effects, AblationMode mode);
/// Of its single heads.
inline std::vector<const Effect*> ranked(const Ablation& ablation, AblationMode mode) {
  return ranked(ablation.heads, mode);
}

}  // namespace heddle
