// Weights that another program trained become weights of ours.
#pragma once

#include <string>
#include <vector>

#include "heddle/model/import/map.hpp"
#include "heddle/model/import/tokens.hpp"
#include "heddle/nn/weights.hpp"
#include "heddle/tensor/foreign.hpp"

namespace heddle {

/// In the metadata of a checkpoint that was imported: the hash of the file it came from. No
/// training of ours made such a model, and none may replace it.
inline constexpr const char* kImportedFrom = "heddle.imported_from";
/// Beside it: the hash of the map.
inline constexpr const char* kImportMap = "heddle.import_map";

/// The logit bias of a token that they do not have: no softmax sees such a token, and sums over
/// the vocabulary keep three digits behind the point.
inline constexpr double kNeverChosenLogit = -1e4;

/// What became of a file.
struct ImportSummary {
  std::vector<std::string> used, ignored;  ///< tensors of theirs
  std::vector<std::string> constant;       ///< weights of ours that no tensor filled
  TokenIds ids;
};

/// Fills every weight from the file as the map says; the caller packs them. The model must be the
/// one that map.config describes. UsageError for a map that contradicts itself or the model;
/// FileError for a file that does not fit it: a tensor that is missing or that nothing uses, a
/// wrong shape or type, a number that is none. Weights are touched only if all of that is right.
ImportSummary import_weights(const ImportMap& map, const ForeignFile& file, const Weights& weights);

}  // namespace heddle
