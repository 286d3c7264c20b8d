// A member that no training made, such as a pruned one, into a run's folder.
#pragma once

#include <string>

#include "heddle/model/member.hpp"
#include "heddle/tensor/safetensors.hpp"

namespace heddle {

/// Writes RUN/config.json and RUN/model.safetensors, whole or not at all. A folder that holds the
/// same configuration and was not trained gets the new weights.
void save_member(const std::string& run, const Config& config, const Weights& weights,
                 const Metadata& metadata);
inline void save_member(const std::string& run, const Member& member, const Metadata& metadata) {
  save_member(run, member.config, member.weights, metadata);
}

/// UsageError if save_member() would refuse the folder: it was made with another configuration, a
/// training wrote it, or it holds anything else.
void check_place(const std::string& run, const Config& config);

}  // namespace heddle
