// What the lenses find is kept beside the run that they looked at, in RUN/lens, so that a report
// can be drawn from it; and everything that a run's folder holds, put together.
#pragma once

#include <string>
#include <string_view>

#include "heddle/model/member.hpp"
#include "heddle/record/run_record.hpp"
#include "heddle/record/tree.hpp"
#include "heddle/task/task.hpp"

namespace heddle {

// Names of the files in RUN/lens.
inline constexpr const char* kKeptScore = "score";
inline constexpr const char* kKeptAblation = "ablation";
inline constexpr const char* kKeptPruning = "pruning";
inline constexpr const char* kKeptRoles = "specialisation";
inline constexpr const char* kKeptPatching = "patching";     // of carries
inline constexpr const char* kKeptPairs = "pair_patching";   // of the user's pairs
inline constexpr const char* kKeptProbing = "probing";       // of carries
inline constexpr const char* kKeptLabels = "label_probing";  // of the user's labels
inline constexpr const char* kKeptAudit = "audit";
inline constexpr const char* kKeptPictures = "attention";
inline constexpr const char* kKeptData = "data";

/// What something was found with. Files say it, so that it is never shown beside anything else.
struct KeptOrigin {
  std::string weights;   ///< the checksum of their file; empty for what is not about weights
  std::string settings;  ///< config_hash()
  std::string data;      ///< data_hash(); empty for questions of one's own
};
KeptOrigin origin_of(const Member& member);
KeptOrigin origin_of(const Member& member, const Task& task);

/// Writes RUN/lens/NAME.json, whole or not at all, with the schema, a checksum and the origin;
/// FileError where that cannot be.
void keep_tree(const std::string& run, const KeptOrigin& origin, std::string_view name,
               const Json& tree);

template <class Record>
void keep(const std::string& run, const KeptOrigin& origin, std::string_view name,
          const Record& record) {
  keep_tree(run, origin, name, to_tree(record));
}

/// Whether what was seen in these data is kept already.
bool keeps_data(const std::string& run, const KeptOrigin& origin);

/// Reads everything back; runs nothing. What is not there, or was found with other weights,
/// settings or data than those of the run, is listed as missing. FileError for a file that is none
/// of ours or that was changed.
RunRecord gather_run(const std::string& run);

}  // namespace heddle
