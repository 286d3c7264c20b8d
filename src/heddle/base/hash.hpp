// A 64-bit streaming hash for data and settings: equal on every platform, not for secrets.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace heddle {

/// FNV-1a over bytes (h ← (h xor byte) · 0x100000001b3), its value stirred once more at the end so
/// that every bit of the input reaches every bit of the result.
class Hash {
 public:
  Hash& bytes(std::span<const std::uint8_t> data);
  /// The eight bytes of a number, lowest first.
  Hash& add(std::uint64_t number);
  /// The text's length, then its bytes: ("ab", "c") and ("a", "bc") differ.
  Hash& add(std::string_view text);

  std::uint64_t value() const;
  /// Sixteen lower-case hexadecimal digits.
  std::string hex() const;

 private:
  std::uint64_t state_ = 0xcbf29ce484222325U;
};

/// A bijection of 64-bit numbers that spreads every input bit over the result (splitmix64's).
std::uint64_t mix_bits(std::uint64_t x);

}  // namespace heddle
