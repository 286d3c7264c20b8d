// Heads by their names: lists of them, and those that a model which lacks some still has.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/base/head_name.hpp"
#include "heddle/config/config.hpp"

namespace heddle {

/// The heads of a comma-separated list, sorted. UsageError names what is no head or stands twice.
std::vector<HeadName> parse_heads(std::string_view list);
/// The list in the order of the names, so that equal sets are equal texts.
std::string sorted_heads(std::string_view list);
std::string heads_text(const std::vector<HeadName>& heads);

/// UsageError unless every head of model.cut_heads is one of the whole model's.
void check_heads(const ModelConfig& model, bool classifier);

/// The heads that this module ("encoder.0.self") still has, by their numbers in the whole model.
std::vector<std::int64_t> heads_left(const ModelConfig& model, std::string_view module);

/// The name in the whole model of what is now head `index` of the module.
std::string whole_name(const ModelConfig& model, std::string_view module, std::int64_t index);

}  // namespace heddle
