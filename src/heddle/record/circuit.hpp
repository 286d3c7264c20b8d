// What carries the carry: activation patching and linear probes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

/// Patching one place of a run on problem A with its value from problem B, which differs in exactly
/// one carry. The effect is the share of the logit difference between the two digits that the patch
/// moves: 0 nothing, 1 all of it.
struct PatchEffect {
  std::int64_t column = 0;  ///< the carry out of this column (0 = units) is what differs
  std::string direction;    ///< "on": the patch brings the carry; "off": it takes it away
  std::string place;        ///< "encoder.0.self.head.3" or a residual tap: "encoder.0.resid_after"
  std::int64_t position = -1;  ///< −1: all positions at once
  std::string token;           ///< what stands there: "a0", "+", "b2", "BOS", "s3"
  std::int64_t pairs = 0;
  double effect = 0, low = 0, high = 0;                   ///< ratio of means over pairs, 95 %
  double control = 0, control_low = 0, control_high = 0;  ///< pairs with no flipped carry

  static void fields(auto& self, auto&& field) {
    field("column", self.column);
    field("direction", self.direction);
    field("place", self.place);
    field("position", self.position);
    field("token", self.token);
    field("pairs", self.pairs);
    field("effect", self.effect);
    field("low", self.low);
    field("high", self.high);
    field("control", self.control);
    field("control_low", self.control_low);
    field("control_high", self.control_high);
  }
};

/// What there is to move: mean logit differences of whole runs.
struct PatchSwing {
  std::int64_t column = 0;
  std::string direction;
  std::int64_t pairs = 0;
  double before = 0;   ///< on problem A
  double after = 0;    ///< on problem B, one carry away
  double control = 0;  ///< on the problem with the same digits changed and no carry flipped

  static void fields(auto& self, auto&& field) {
    field("column", self.column);
    field("direction", self.direction);
    field("pairs", self.pairs);
    field("before", self.before);
    field("after", self.after);
    field("control", self.control);
  }
};

struct Patching {
  std::vector<PatchSwing> swings;
  std::vector<PatchEffect> heads;   ///< each head, all positions at once
  std::vector<PatchEffect> places;  ///< the heads that matter, position by position
  std::vector<PatchEffect>
      stream;  ///< the residual stream, layer by layer and position by position
  /// From column to digit, a step each: "column|kind|place|token|effect". Kind "stream": the
  /// residual stream at this tap and position carries so much of the effect; "head": this head
  /// moves so much of it at this position alone, which is where it moves most; "digit": where it
  /// ends, place "logits", token the digit. "0|stream|encoder.embed.out|a0|0.62", …,
  /// "0|head|encoder.0.self.head.3|a1|0.91", …, "0|digit|logits|s1|1.00".
  std::vector<std::string> path;

  static void fields(auto& self, auto&& field) {
    field("swings", self.swings);
    field("heads", self.heads);
    field("places", self.places);
    field("stream", self.stream);
    field("path", self.path);
  }
};

/// A linear probe for one bit at one place. All accuracies are on problems that the probe was not
/// trained on, as many with the bit as without: ½ is chance everywhere, and they can be compared.
struct ProbeResult {
  std::string tap;  ///< "encoder.0.resid_after", "encoder.0.self.head.3"
  std::int64_t position = 0;
  std::string token;
  std::string target;       ///< "carry.0": the carry out of the units; "carry_in.1 | sum 9"
  std::int64_t tested = 0;  ///< problems behind `accuracy`
  double accuracy = 0, low = 0, high = 0;  ///< Wilson, 95 %
  double majority = 0;                     ///< share of the commoner bit there
  double control = 0;    ///< mean over [a + b ≥ k], k ≠ 10: what mixing two digits gives anyway
  double untrained = 0;  ///< the same probe on the untrained model
  double held_out = 0;   ///< on digit pairs that the probe never saw

  static void fields(auto& self, auto&& field) {
    field("tap", self.tap);
    field("position", self.position);
    field("token", self.token);
    field("target", self.target);
    field("tested", self.tested);
    field("accuracy", self.accuracy);
    field("low", self.low);
    field("high", self.high);
    field("majority", self.majority);
    field("control", self.control);
    field("untrained", self.untrained);
    field("held_out", self.held_out);
  }
};

struct Probing {
  std::int64_t trained_on = 0, tested_on = 0;
  std::vector<ProbeResult> probes;

  static void fields(auto& self, auto&& field) {
    field("trained_on", self.trained_on);
    field("tested_on", self.tested_on);
    field("probes", self.probes);
  }
};

}  // namespace heddle
