// What the families of checks share: the run's data, its answers, and words for findings.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "heddle/base/index.hpp"
#include "heddle/eval/interval.hpp"
#include "heddle/lens/asked.hpp"
#include "heddle/lens/audit/audit.hpp"
#include "heddle/record/training_log.hpp"
#include "heddle/task/file/example_set.hpp"

namespace heddle {

/// How often each token or label stands somewhere.
using Counts = std::map<std::int32_t, std::int64_t>;

/// The data of a run: its task, and what trains.
struct AuditData {
  std::unique_ptr<Task> task;
  Questions train;
  Index drawn = 0;  ///< samples that a stream gave the whole training; 0: `train` is all there is

  const Questions& list(Split split) const;
};
/// FileError for a file that is not there.
AuditData open_audit_data(const Config& config, const ReadProgress& reading);

/// What the member said to the questions asked.
struct AuditAnswers {
  Index positions = 0;
  std::vector<std::int32_t> forced;        ///< [question, position] given the true prefix
  std::vector<std::int32_t> said;          ///< the same, decoded; of labels: `forced`
  std::vector<std::uint8_t> tie;           ///< given the true prefix, both differ by rounding alone
  std::vector<std::uint8_t> forced_right;  ///< [question] all that the loss asks for
  std::vector<std::uint8_t> right;         ///< [question] the whole answer, as decoded

  std::span<const std::int32_t> forced_row(Index row) const { return part(forced, row); }
  std::span<const std::int32_t> decoded_row(Index row) const { return part(said, row); }
  Count count() const;

 private:
  std::span<const std::int32_t> part(const std::vector<std::int32_t>& all, Index row) const {
    const auto length = to_size(positions);
    return std::span(all).subspan(to_size(row) * length, length);
  }
};

/// The run under audit. What could not be read is null.
struct AuditSubject {
  const std::string& run;
  const Member& member;
  const EncodedQuestions& asked;  ///< test questions; made-up ones where there is no data
  const AuditData* data = nullptr;
  std::string no_data{};  ///< why there is none
  const AuditAnswers* answers = nullptr;
  const TrainingLog* log = nullptr;
  const AuditOptions& options;

  const Task& task() const { return *data->task; }
  const TaskShape& shape() const { return member.model->shape(); }
  Question question(Index row) const { return task().test()[row]; }
  /// A token as a reader writes it, or its number where there is no data.
  std::string token(std::int32_t token) const;
};

AuditAnswers ask(const Member& member, const EncodedQuestions& set, const Edits* edits, Team& team);

/// What two orders of the same sums may differ by in logits as large as `largest`: a layer passes
/// at most 5 products and 3 softmaxes or norms; rounding errors of a sum of n terms grow like √n·u;
/// norms may enlarge them by the ratio of their deviations, taken as 16.
double rounding_of(const Member& member, Index length, double largest);

// ── the families ──
using AuditChecks = std::vector<AuditCheck>;
void audit_answers(const AuditSubject& subject, AuditChecks& checks);
void audit_numbers(const AuditSubject& subject, AuditChecks& checks);
void audit_data(const AuditSubject& subject, AuditChecks& checks);
void audit_balance(const AuditSubject& subject, AuditChecks& checks);
/// Of weights: part of audit_weights().
AuditCheck untrained_rows(const AuditSubject& subject);
void audit_weights(const AuditSubject& subject, AuditChecks& checks);
void audit_masks(const AuditSubject& subject, AuditChecks& checks);

// ── words ──
/// "824 of 2,000 (41.20 %)".
std::string count_text(std::int64_t part, std::int64_t all);
/// "41.20 %".
std::string share_text(double share);
AuditCheck not_applicable(std::string name, std::string why);
AuditCheck could_not_tell(std::string name, std::string why);

}  // namespace heddle
