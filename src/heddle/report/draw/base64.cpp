// See base64.hpp.
#include "heddle/report/draw/base64.hpp"

#include <algorithm>

namespace heddle::report {
namespace {

constexpr std::string_view kLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string base64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = (group << 8U) | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      out += k <= count ? kLetters[(group >> (18U - 6U * static_cast<unsigned>(k))) & 63U] : '=';
  }
  return out;
}

std::string base64_bytes(std::string_view letters) {
  std::string out;
  unsigned group = 0, bits = 0;
  for (const char letter : letters) {
    const std::size_t value = kLetters.find(letter);
    if (value == std::string_view::npos) break;
    group = (group << 6U) | static_cast<unsigned>(value);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out += static_cast<char>((group >> bits) & 0xffU);
  }
  return out;
}

}  // namespace heddle::report
