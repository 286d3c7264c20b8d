// The audit of a run: checks that find what a falling loss and a fine accuracy hide, on anyone's
// model and data.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "heddle/base/parallel.hpp"
#include "heddle/model/member.hpp"
#include "heddle/record/audit.hpp"
#include "heddle/task/file/example_set.hpp"

namespace heddle {

/// An accuracy that somebody reported.
struct AuditClaim {
  double share = 0;     ///< 0 … 1
  double rounding = 0;  ///< half a unit of its last digit
};
/// "0.412", "41.2%" or "41.2 %"; numbers above 1 are percentages. UsageError for the rest.
AuditClaim parse_claim(std::string_view text);

struct AuditOptions {
  std::optional<AuditClaim> claim{};
  const Edits* edits = nullptr;  ///< hung on every pass: how a model with a planted defect is tried
  ReadProgress reading{};        ///< of a long file
  std::function<void(std::string_view check)> progress{};  ///< between checks; may throw
};

/// Reads RUN's log and its task's data. Data that is not there leaves its checks undecided.
Audit audit_run(const std::string& run, const Member& member, const AuditOptions& options,
                Team& team);

}  // namespace heddle
