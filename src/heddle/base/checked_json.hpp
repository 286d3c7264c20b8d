// JSON files that carry a checksum of their own text: whatever was changed since they were written
// is noticed when they are read back.
#pragma once

#include <string>
#include <string_view>

#include "heddle/base/json.hpp"

namespace heddle {

/// An object as the text of a file, with "checksum" as its last member: sixteen digits, the hash of
/// the whole text with zeros in their place.
std::string checked_json(Json object, int indent = -1);
/// Writes it, whole or not at all.
void write_checked_json(const std::string& path, const Json& object, int indent = -1);

/// The object again, without the checksum. FileError, one line with the path and then `advice`, for
/// a text that is no JSON object or that is not the one its checksum was made of. Older files have
/// none and are taken as they are.
Json parse_checked_json(const std::string& text, const std::string& path,
                        std::string_view advice = "");
Json read_checked_json(const std::string& path, std::string_view advice = "");

}  // namespace heddle
