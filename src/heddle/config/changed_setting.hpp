// Which setting somebody changed, when all that is left of the old ones is their hash.
#pragma once

#include <optional>
#include <string>

#include "heddle/config/config.hpp"

namespace heddle {

/// "model.heads=2, and model.heads=4 fits": the one setting whose change gives this config_hash().
/// Nothing where none of the values that are tried does: names, the usual value, small numbers,
/// powers of two, and what one other digit gives.
std::optional<std::string> changed_setting(const Config& config, const std::string& hash);

}  // namespace heddle
