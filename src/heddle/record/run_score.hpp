// The score of one run, in a form that all tasks share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heddle/record/score.hpp"

namespace heddle {

/// Right answers of one kind, with Wilson's 95 % interval.
struct ScoreRow {
  std::string name;  ///< "greedy", "label spam", "16"
  Count count;
  double low = 0, high = 1;

  static void fields(auto& self, auto&& field) {
    field("name", self.name);
    field("count", self.count);
    field("low", self.low);
    field("high", self.high);
  }
};

/// The same questions told apart in one way.
struct ScoreGroup {
  std::string name;  ///< "by length", "adjacent"
  std::string unit;  ///< what the rows' names count: "length", "label", "carries"
  std::vector<ScoreRow> rows;

  static void fields(auto& self, auto&& field) {
    field("name", self.name);
    field("unit", self.unit);
    field("rows", self.rows);
  }
};

struct RunScore {
  std::string set;                 ///< "test", "census"
  std::vector<ScoreRow> whole;     ///< the answer first: greedy, teacher-forced, tokens; or labels
  bool forced = false;             ///< whether teacher-forced and greedy were compared …
  std::int64_t disagreements = 0;  ///< … and on how many questions they differ: a defect
  double loss = 0;                 ///< mean, nats; no number where it was not taken
  std::vector<ScoreGroup> groups;
  std::vector<std::string> mistakes;  ///< the first few wrong answers
  std::vector<std::string> warnings;  ///< what the watchdogs said

  static void fields(auto& self, auto&& field) {
    field("set", self.set);
    field("whole", self.whole);
    field("forced", self.forced);
    field("disagreements", self.disagreements);
    field("loss", self.loss);
    field("groups", self.groups);
    field("mistakes", self.mistakes);
    field("warnings", self.warnings);
  }
};

}  // namespace heddle
