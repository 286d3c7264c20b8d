// Their tokens and ours: which number of theirs stands for each token and class of ours.
#pragma once

#include <string>

#include "heddle/model/import/map.hpp"
#include "heddle/nn/weights.hpp"

namespace heddle {

/// Empty lists mean: as ours.
struct TokenIds {
  TheirIds source, target;
  /// Of the output: as `target`, but of several tokens of ours with one number only the first is
  /// ever said.
  TheirIds said;
  TheirIds classes;
};

/// The map's lists, held against the vocabularies of the model; UsageError names the token whose
/// number is missing.
TokenIds token_ids(const ImportMap& map, const WeightLayout& layout);

/// Their number for a token of ours; none: they do not have it.
std::optional<Index> their_id(const TheirIds& ids, Index ours);
/// The first of `count` tokens of ours that has this number with them; none: there is none.
std::optional<Index> our_id(const TheirIds& ids, Index theirs, Index count);

/// "'7'", "'EOS'": a token of ours as messages name it.
std::string token_name(const Config& config, Index token);

/// The extent of a weight's first axis; 0 if the model has no such weight.
Index rows_of_weight(const WeightLayout& layout, std::string_view path);

}  // namespace heddle
