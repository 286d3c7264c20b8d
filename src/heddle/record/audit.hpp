// What an audit of a run found: one verdict per check, with its evidence.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace heddle {

/// A number, a count or an example behind a verdict.
struct AuditEvidence {
  std::string name, value;

  static void fields(auto& self, auto&& field) {
    field("name", self.name);
    field("value", self.value);
  }
};

struct AuditCheck {
  // Verdicts. A note is worth knowing and fails nothing.
  static constexpr const char* kPass = "pass";
  static constexpr const char* kFail = "fail";
  static constexpr const char* kNote = "note";
  static constexpr const char* kNotApplicable = "not applicable";
  static constexpr const char* kCouldNotTell = "could not tell";

  std::string name;  ///< "forced = greedy"
  std::string verdict = kPass;
  std::string finding{};  ///< what was seen, with its numbers
  std::string meaning{};  ///< what it means; empty where nothing is wrong
  std::string advice{};   ///< what to do; empty where there is nothing to do
  std::vector<AuditEvidence> evidence{};

  bool failed() const { return verdict == kFail; }

  static void fields(auto& self, auto&& field) {
    field("name", self.name);
    field("verdict", self.verdict);
    field("finding", self.finding);
    field("meaning", self.meaning);
    field("advice", self.advice);
    field("evidence", self.evidence);
  }
};

struct Audit {
  std::vector<AuditCheck> checks;

  /// How many have this verdict.
  std::int64_t count(const std::string& verdict) const {
    return std::ranges::count(checks, verdict, &AuditCheck::verdict);
  }

  static void fields(auto& self, auto&& field) { field("checks", self.checks); }
};

}  // namespace heddle
