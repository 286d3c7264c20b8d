// FNV-1a with a final stir.
#include "heddle/base/hash.hpp"

#include <fmt/core.h>

namespace heddle {

namespace {

constexpr std::uint64_t kPrime = 0x100000001b3U;

}  // namespace

Hash& Hash::bytes(std::span<const std::uint8_t> data) {
  for (const std::uint8_t byte : data) state_ = (state_ ^ byte) * kPrime;
  return *this;
}

Hash& Hash::add(std::uint64_t number) {
  for (int shift = 0; shift < 64; shift += 8)
    state_ = (state_ ^ ((number >> shift) & 0xffU)) * kPrime;
  return *this;
}

Hash& Hash::add(std::string_view text) {
  add(std::uint64_t{text.size()});
  for (const char c : text) state_ = (state_ ^ static_cast<std::uint8_t>(c)) * kPrime;
  return *this;
}

std::uint64_t Hash::value() const {
  return mix_bits(state_);
}

std::string Hash::hex() const {
  return fmt::format("{:016x}", value());
}

std::uint64_t mix_bits(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

}  // namespace heddle
