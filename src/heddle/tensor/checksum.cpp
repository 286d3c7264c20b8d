// See checksum.hpp.
#include "heddle/tensor/checksum.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace heddle {
namespace {

static_assert(std::endian::native == std::endian::little, "files hold little-endian numbers");

constexpr std::size_t kWord = 8;
constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;  // odd: the product can be undone
constexpr std::uint32_t kPolynomial = 0xEDB88320;

std::uint64_t mixed(std::uint64_t state, std::uint64_t word) {
  state = (state ^ word) * kFactor;
  return state ^ (state >> 32U);
}

using CrcTables = std::array<std::array<std::uint32_t, 256>, kWord>;

/// tables[k][b]: what byte b does to the state k bytes later.
constexpr CrcTables crc_tables() {
  CrcTables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t state = byte;
    for (int bit = 0; bit < 8; ++bit) state = (state >> 1U) ^ ((state & 1U) != 0 ? kPolynomial : 0);
    tables[0][byte] = state;
  }
  for (std::size_t k = 1; k < kWord; ++k)
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[k - 1][byte];
      tables[k][byte] = (before >> 8U) ^ tables[0][before & 0xFFU];
    }
  return tables;
}

constexpr CrcTables kCrc = crc_tables();

}  // namespace

std::uint64_t checksum64(std::span<const std::byte> bytes, std::uint64_t state) {
  state = mixed(state, bytes.size());
  while (!bytes.empty()) {
    const std::size_t count = bytes.size() < kWord ? bytes.size() : kWord;
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), count);
    state = mixed(state, word);
    bytes = bytes.subspan(count);
  }
  return state;
}

std::uint64_t checksum64(std::string_view text, std::uint64_t state) {
  return checksum64(std::as_bytes(std::span(text)), state);
}

std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t state) {
  state = ~state;
  for (; bytes.size() >= kWord; bytes = bytes.subspan(kWord)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), kWord);
    word ^= state;
    state = 0;
    for (std::size_t k = 0; k < kWord; ++k)
      state ^= kCrc[kWord - 1 - k][(word >> (8U * k)) & 0xFFU];
  }
  for (const std::byte byte : bytes)
    state = (state >> 8U) ^ kCrc[0][(state ^ static_cast<std::uint32_t>(byte)) & 0xFFU];
  return ~state;
}

}  // namespace heddle
