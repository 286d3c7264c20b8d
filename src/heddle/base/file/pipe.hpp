// Reading what is no regular file: pipes and devices, whose writer may never come.
#pragma once

#include <cstdint>
#include <string>

namespace heddle {

/// Whether the path leads to something that may keep a reader waiting.
bool may_wait(const std::string& path);

/// All that its writers write, up to `most` bytes; FileError beyond. Waits for the first of them;
/// Interrupted if somebody asks to stop meanwhile.
std::string read_pipe(const std::string& path, std::uint64_t most);

}  // namespace heddle
