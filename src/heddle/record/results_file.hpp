// STUDY/results.json, whose bytes are the same on every rerun, and beside it results.checksum, by
// which a reader notices that they were changed.
#pragma once

#include <cstdint>
#include <string>

namespace heddle {

/// Writes both, each whole or not at all; there is never a checksum of other results.
void write_results(const std::string& folder, const std::string& text);

/// The text of results.json, at most so many bytes. FileError, one line, where it is not the one
/// that results.checksum was made of; older studies have none.
std::string read_results_text(const std::string& folder, std::uint64_t most);

}  // namespace heddle
