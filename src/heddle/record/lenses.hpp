// What patching and probing find with pairs and labels that the user brings, for any task.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

/// Patching one place of a run on input a with its value from input b. The effect is the share of
/// the logit difference between the two right answers that the patch moves: 0 nothing, 1 all of it.
struct PlaceEffect {
  std::string place;                     ///< "encoder.0.self.head.3" or "encoder.0.resid_after"
  std::int64_t position = -1;            ///< −1: all positions at once
  std::string token;                     ///< what stands there, where it is the same in all pairs
  double effect = 0, low = 0, high = 0;  ///< ratio of means over pairs, 95 %
  double control = 0, control_low = 0, control_high = 0;  ///< the value from the control instead

  static void fields(auto& self, auto&& field) {
    field("place", self.place);
    field("position", self.position);
    field("token", self.token);
    field("effect", self.effect);
    field("low", self.low);
    field("high", self.high);
    field("control", self.control);
    field("control_low", self.control_low);
    field("control_high", self.control_high);
  }
};

struct PairPatching {
  std::int64_t pairs = 0;
  bool controls = false;  ///< there are any
  bool told_apart =
      false;  ///< b's answer gains on a's from a to b (95 %); else no effect has a share
  double before = 0, after = 0, control = 0;  ///< mean logit differences on a, b and the control
  std::vector<PlaceEffect> heads;             ///< each head, all positions at once
  std::vector<PlaceEffect> stream;            ///< the residual stream, layer by layer

  static void fields(auto& self, auto&& field) {
    field("pairs", self.pairs);
    field("controls", self.controls);
    field("told_apart", self.told_apart);
    field("before", self.before);
    field("after", self.after);
    field("control", self.control);
    field("heads", self.heads);
    field("stream", self.stream);
  }
};

/// How often a label stands in the file.
struct LabelShare {
  std::string label;
  std::int64_t inputs = 0;

  static void fields(auto& self, auto&& field) {
    field("label", self.label);
    field("inputs", self.inputs);
  }
};

/// A linear probe for the label at one place. Every input is scored by a probe that was fitted
/// without it; accuracies are balanced: the mean over labels of the share that is found.
struct LabelProbe {
  std::string tap;             ///< "encoder.0.resid_after"
  std::int64_t position = -1;  ///< −1: the mean over positions
  std::string token;           ///< what stands there, where it is the same in all inputs
  double accuracy = 0, low = 0, high = 0;  ///< Wilson, 95 %
  double majority = 0;                     ///< share of the commonest label: not balanced
  double shuffled = 0;                     ///< the same probe for labels in a random order

  static void fields(auto& self, auto&& field) {
    field("tap", self.tap);
    field("position", self.position);
    field("token", self.token);
    field("accuracy", self.accuracy);
    field("low", self.low);
    field("high", self.high);
    field("majority", self.majority);
    field("shuffled", self.shuffled);
  }
};

struct LabelProbing {
  std::int64_t inputs = 0, folds = 0;
  double chance = 0;  ///< balanced accuracy of guessing: 1 over the number of labels
  std::vector<LabelShare> labels;
  std::vector<LabelProbe> probes;  ///< in the order data passes the places

  static void fields(auto& self, auto&& field) {
    field("inputs", self.inputs);
    field("folds", self.folds);
    field("chance", self.chance);
    field("labels", self.labels);
    field("probes", self.probes);
  }
};

}  // namespace heddle
