// How many heads a member can lose: the reports' counts, joint removal, and really smaller models.
#pragma once

#include <string>
#include <vector>

#include "heddle/record/kinds.hpp"
#include "heddle/record/score.hpp"

namespace heddle {

/// The reports' way of counting: heads whose single ablation costs little.
struct PruneCounts {
  AblationMode mode = AblationMode::zero;  ///< the reports' way is zero
  std::int64_t heads = 0;
  std::int64_t within_1_point = 0, within_5_points = 0;
  std::int64_t within_relative_1_percent = 0;  ///< drop ≤ 1 % of the intact accuracy
  std::vector<std::string> must_retain;        ///< those that cost more than 1 point

  static void fields(auto& self, auto&& field) {
    field("mode", self.mode);
    field("heads", self.heads);
    field("within_1_point", self.within_1_point);
    field("within_5_points", self.within_5_points);
    field("within_relative_1_percent", self.within_relative_1_percent);
    field("must_retain", self.must_retain);
  }
};

/// One removal on the way down; the first point of a curve is the intact member.
struct PrunePoint {
  std::int64_t heads_left = 0;
  std::string cut;           ///< the head that went; empty for the intact member
  Count chosen_on;           ///< right answers on the problems that chose it
  Count scored;              ///< right answers on problems that did not
  double low = 0, high = 1;  ///< Wilson interval of the scored share

  static void fields(auto& self, auto&& field) {
    field("heads_left", self.heads_left);
    field("cut", self.cut);
    field("chosen_on", self.chosen_on);
    field("scored", self.scored);
    field("low", self.low);
    field("high", self.high);
  }
};

struct PruneCurve {
  PruneOrder by = PruneOrder::measured;
  std::int64_t repeat = 0;  ///< which random order
  std::vector<PrunePoint> points;
  std::int64_t free_heads = 0;  ///< heads gone before the scored problems show a new mistake

  static void fields(auto& self, auto&& field) {
    field("by", self.by);
    field("repeat", self.repeat);
    field("points", self.points);
    field("free_heads", self.free_heads);
  }
};

/// A model that was cut, or trained without those heads.
struct SmallerModel {
  std::string name;  ///< "intact", "pruned", "fine-tuned", "from scratch"
  std::int64_t heads_left = 0, parameters = 0, steps = 0;  ///< steps: trained after the cut
  Count scored;
  double low = 0, high = 1;

  static void fields(auto& self, auto&& field) {
    field("name", self.name);
    field("heads_left", self.heads_left);
    field("parameters", self.parameters);
    field("steps", self.steps);
    field("scored", self.scored);
    field("low", self.low);
    field("high", self.high);
  }
};

struct Pruning {
  std::vector<PruneCounts> counts;  ///< one per mode
  std::vector<PruneCurve> curves;
  std::vector<std::string> cut;  ///< the heads cut for good: those free of charge by measured drop
  double logit_difference = 0;   ///< largest between the cut model and the masked one
  std::vector<SmallerModel> smaller;

  static void fields(auto& self, auto&& field) {
    field("counts", self.counts);
    field("curves", self.curves);
    field("cut", self.cut);
    field("logit_difference", self.logit_difference);
    field("smaller", self.smaller);
  }
};

}  // namespace heddle
