// See png.hpp.
#include "heddle/report/draw/png.hpp"

#include <algorithm>
#include <string_view>

#include "heddle/base/check.hpp"

namespace heddle::report {
namespace {

std::string big_endian(std::uint32_t number) {
  std::string bytes;
  for (unsigned shift = 32; shift > 0; shift -= 8)
    bytes += static_cast<char>((number >> (shift - 8)) & 0xffU);
  return bytes;
}

/// CRC-32 as PNG wants it (polynomial 0xedb88320, bits reversed).
std::uint32_t crc(std::string_view bytes) {
  std::uint32_t state = 0xffffffffU;
  for (const char byte : bytes) {
    state ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit)
      state = (state >> 1U) ^ ((state & 1U) != 0 ? 0xedb88320U : 0U);
  }
  return ~state;
}

std::uint32_t adler(std::string_view bytes) {
  constexpr std::uint32_t kPrime = 65521;
  std::uint32_t a = 1, b = 0;
  for (const char byte : bytes) {
    a = (a + static_cast<unsigned char>(byte)) % kPrime;
    b = (b + a) % kPrime;
  }
  return (b << 16U) | a;
}

std::string chunk(std::string_view kind, std::string_view data) {
  const std::string body = std::string(kind).append(data);
  return big_endian(static_cast<std::uint32_t>(data.size())) + body + big_endian(crc(body));
}

/// A zlib stream of stored blocks.
std::string stored(std::string_view data) {
  constexpr std::size_t kMostBlock = 65535;
  std::string stream("\x78\x01", 2);
  do {
    const std::string_view block = data.substr(0, kMostBlock);
    data.remove_prefix(block.size());
    const auto size = static_cast<unsigned>(block.size());
    stream += data.empty() ? '\x01' : '\x00';
    for (const unsigned number : {size, ~size}) {
      stream += static_cast<char>(number & 0xffU);
      stream += static_cast<char>((number >> 8U) & 0xffU);
    }
    stream += block;
  } while (!data.empty());
  return stream;
}

}  // namespace

std::string png_file(std::size_t width, std::size_t height, const std::vector<std::uint8_t>& pixels,
                     const std::vector<unsigned>& palette) {
  check(width > 0 && height > 0 && pixels.size() == width * height && !palette.empty() &&
            palette.size() <= 256,
        "png: {} pixels and {} colours for {} × {}", pixels.size(), palette.size(), width, height);
  std::string rows;
  for (std::size_t row = 0; row < height; ++row) {
    rows += '\0';  // no filter
    for (std::size_t x = 0; x < width; ++x) rows += static_cast<char>(pixels[row * width + x]);
  }
  std::string colours;
  for (const unsigned rgb : palette) colours += big_endian(rgb).substr(1);
  const std::string header = big_endian(static_cast<std::uint32_t>(width)) +
                             big_endian(static_cast<std::uint32_t>(height)) +
                             std::string("\x08\x03\x00\x00\x00", 5);
  const std::string check_sum = big_endian(adler(rows));
  return std::string("\x89PNG\r\n\x1a\n", 8) + chunk("IHDR", header) + chunk("PLTE", colours) +
         chunk("IDAT", stored(rows) + check_sum) + chunk("IEND", "");
}

}  // namespace heddle::report
