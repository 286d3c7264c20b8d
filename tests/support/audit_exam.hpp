// A run for the checks of an audit, with answers and a log that a test may write itself.
#pragma once

#include <optional>
#include <string>

#include "heddle/lens/audit/parts.hpp"

namespace heddle::testing {

/// A member with weights of which none is accidentally zero, its data, and right answers.
class AuditExam {
 public:
  explicit AuditExam(const Config& config);

  /// All questions answered rightly, forced and decoded.
  void answer_rightly();
  /// Decoded tokens of one question, and whether that makes the answer right.
  void say(Index row, const std::vector<std::int32_t>& tokens, bool right);
  /// A log of the data at hand, each row with this loss.
  void write_log(double loss, Index rows = 10);

  AuditSubject subject() const;
  /// The verdict and finding of one check of a family.
  AuditCheck check(void (*family)(const AuditSubject&, AuditChecks&),
                   const std::string& name) const;

  const Task& task() const { return *data.task; }

  Config config;
  Member member;
  AuditData data;
  EncodedQuestions asked;
  AuditAnswers answers;
  std::optional<TrainingLog> log;
  AuditOptions options;
  std::string run = "no-such-run";
};

/// Adds the last row of a stream [batch, position, feature] to every other: whoever hangs it on a
/// tap hears what comes later, padding too.
Edit hearing_the_end();

/// The check of that name; fails the test where there is none.
AuditCheck find_check(const std::vector<AuditCheck>& checks, const std::string& name);
/// What an evidence says; empty where there is none of that name.
std::string evidence_of(const AuditCheck& check, const std::string& name);

}  // namespace heddle::testing
