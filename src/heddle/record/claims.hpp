// What every study's record has: estimates over seeds, claims with verdicts, numbers of reports.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heddle/record/kinds.hpp"

namespace heddle {

/// A name and a number: a module and its largest drop, a role and how many heads have it.
struct NamedValue {
  std::string name;
  double value = 0;

  static void fields(auto& self, auto&& field) {
    field("name", self.name);
    field("value", self.value);
  }
};

/// A number over the members of a population, the seed being the unit.
struct Estimate {
  std::string name;  ///< "encoder.0 holds the most critical head"
  EstimateKind kind = EstimateKind::share;
  double value = 0, low = 0, high = 0;
  std::int64_t seeds = 0;
  std::int64_t hits = 0;  ///< of a share
  std::string unit =
      "fraction";  ///< a fraction is told as a percentage, anything else ("heads") plain

  static void fields(auto& self, auto&& field) {
    field("name", self.name);
    field("kind", self.kind);
    field("value", self.value);
    field("low", self.low);
    field("high", self.high);
    field("seeds", self.seeds);
    field("hits", self.hits);
    field("unit", self.unit);
  }
};

/// What one population says about a claim.
struct Finding {
  std::string recipe;
  std::int64_t hits = 0, seeds = 0;  ///< members for which the predicate holds
  double low = 0, high = 1;          ///< exact binomial, 95 %
  std::string text;                  ///< the measured quantity in words, numbers filled in

  static void fields(auto& self, auto&& field) {
    field("recipe", self.recipe);
    field("hits", self.hits);
    field("seeds", self.seeds);
    field("low", self.low);
    field("high", self.high);
    field("text", self.text);
  }
};

struct Claim {
  std::string id;         ///< "A1"
  std::string report;     ///< "A", "A, B"
  std::string statement;  ///< what the report says
  std::string predicate;  ///< of one member
  std::string rule;       ///< how many members decide
  bool logical = false;   ///< settled by argument, not by counting
  Verdict verdict = Verdict::undecided;
  std::string reason;
  std::string evidence;  ///< anchor of the section that shows it
  std::vector<Finding> findings;

  static void fields(auto& self, auto&& field) {
    field("id", self.id);
    field("report", self.report);
    field("statement", self.statement);
    field("predicate", self.predicate);
    field("rule", self.rule);
    field("logical", self.logical);
    field("verdict", self.verdict);
    field("reason", self.reason);
    field("evidence", self.evidence);
    field("findings", self.findings);
  }
};

/// A number of a report beside what Heddle gets with the defect and without it.
struct Reproduction {
  std::string report, quantity;
  std::string reported;
  std::string with_defect;  ///< generated from the members' records
  std::string truth;
  std::string cause;

  static void fields(auto& self, auto&& field) {
    field("report", self.report);
    field("quantity", self.quantity);
    field("reported", self.reported);
    field("with_defect", self.with_defect);
    field("truth", self.truth);
    field("cause", self.cause);
  }
};

}  // namespace heddle
