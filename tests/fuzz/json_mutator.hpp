// Changes JSON as JSON: values become others, move, come twice, nest up to a million levels deep,
// whole numbers come to lie around 2^63 and 2^64.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::testing {

/// The text with one change that the number chooses; unchanged where it would be longer than
/// `most`, or where nothing in it looks like JSON.
std::string mutated_json(std::string_view text, std::size_t most, std::uint64_t choice);

/// `levels` lists or objects around nothing, closed or cut off.
std::string nested_json(std::size_t levels, bool objects, bool closed);

}  // namespace heddle::testing
