// What the lenses find is kept beside the run that they looked at, in RUN/lens, so that a report
// can be drawn from it; and everything that a run's folder holds, put together.
#pragma once

#include <string>
#include <string_view>

#include "heddle/record/run_record.hpp"
#include "heddle/record/tree.hpp"

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

/// Writes RUN/lens/NAME.json, whole or not at all, with the schema and the hash of the weights that
/// it speaks of; FileError where that cannot be.
void keep_tree(const std::string& run, std::string_view name, const Json& tree);

template <class Record>
void keep(const std::string& run, std::string_view name, const Record& record) {
  keep_tree(run, name, to_tree(record));
}

/// Reads everything back; runs nothing. What is not there, or was found with other weights, is
/// listed as missing. FileError for a file that is none of ours.
RunRecord gather_run(const std::string& run);

}  // namespace heddle
