// What an evaluation of a task of words found.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heddle/record/score.hpp"

namespace heddle {

/// Right answers among the inputs of one length.
struct LengthCount {
  std::int64_t length = 0;
  Count count;

  static void fields(auto& self, auto&& field) {
    field("length", self.length);
    field("correct", self.count.correct);
    field("total", self.count.total);
  }
};

/// How often a label is the right one and is then given, and how often it is given at all.
struct LabelCount {
  std::string label;
  Count count;
  std::int64_t given = 0;

  static void fields(auto& self, auto&& field) {
    field("label", self.label);
    field("correct", self.count.correct);
    field("total", self.count.total);
    field("given", self.given);
  }
};

struct ExampleScore {
  std::string set;  ///< "validation", "test"
  // Where sequences are asked for:
  Count greedy;                    ///< whole outputs, decoded
  Count teacher_forced;            ///< examples with every position right
  Count teacher_forced_tokens;     ///< positions
  std::int64_t disagreements = 0;  ///< examples that only one of the two gets right: a defect
  std::int64_t common_first = 0;   ///< greedy outputs that begin with the most common first token
  Count first_right;               ///< outputs whose first token is right
  // Where labels are:
  Count accuracy;
  std::vector<LabelCount> by_label;

  std::vector<LengthCount> by_length;  ///< by words of the input: greedy, or accuracy
  double loss = 0;                     ///< mean over what is asked, nats
  std::vector<std::string> mistakes;   ///< the first few wrong answers: "3 1 4 → 4 1 1, not 4 1 3"

  bool labels() const { return accuracy.total > 0; }
  /// Whole answers, whatever they are.
  const Count& right() const { return labels() ? accuracy : greedy; }
  /// The largest share that one label has among the answers, and among the truths.
  double most_given() const {
    std::int64_t most = 0;
    for (const LabelCount& each : by_label) most = most > each.given ? most : each.given;
    return accuracy.total > 0 ? static_cast<double>(most) / static_cast<double>(accuracy.total) : 0;
  }
  double most_true() const {
    std::int64_t most = 0;
    for (const LabelCount& each : by_label)
      most = most > each.count.total ? most : each.count.total;
    return accuracy.total > 0 ? static_cast<double>(most) / static_cast<double>(accuracy.total) : 0;
  }
  /// One label for nearly all, where none is right for nearly all.
  bool constant() const {
    constexpr double kNearly = 0.99;
    return labels() && most_given() >= kNearly && most_true() < kNearly;
  }

  static void fields(auto& self, auto&& field) {
    field("set", self.set);
    field("greedy", self.greedy);
    field("teacher_forced", self.teacher_forced);
    field("teacher_forced_tokens", self.teacher_forced_tokens);
    field("disagreements", self.disagreements);
    field("common_first", self.common_first);
    field("first_right", self.first_right);
    field("accuracy", self.accuracy);
    field("by_label", self.by_label);
    field("by_length", self.by_length);
    field("loss", self.loss);
    field("mistakes", self.mistakes);
  }
};

}  // namespace heddle
