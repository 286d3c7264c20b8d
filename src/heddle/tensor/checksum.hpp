// Checksums that tell a damaged file from a sound one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace heddle {

/// Goes on from `state`, so that pieces chain. Any change within eight bytes changes the result.
std::uint64_t checksum64(std::span<const std::byte> bytes, std::uint64_t state);
std::uint64_t checksum64(std::string_view text, std::uint64_t state);

/// The CRC-32 of zip and PNG; chains from 0.
std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t state);

}  // namespace heddle
