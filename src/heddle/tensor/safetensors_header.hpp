// The header of a safetensors file: text to checked entries and back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/base/file.hpp"
#include "heddle/tensor/safetensors.hpp"

namespace heddle::safetensors {

constexpr std::uint64_t kLengthBytes = 8;           // the header's length, little-endian
constexpr std::uint64_t kMostHeader = 100'000'000;  // as in the format's own reader
constexpr std::size_t kMostName = 1024;             // bytes
constexpr std::string_view kMetadata = "__metadata__";

/// What numbers are stored as. Ours are F32 and F64; other programs write the others too.
enum class Stored : std::uint8_t {
  f32,
  f64,
  f16,
  bf16,
  i8,
  i16,
  i32,
  i64,
  u8,
  u16,
  u32,
  u64,
  boolean
};
std::string_view stored_name(Stored stored);
std::uint64_t stored_bytes(Stored stored);
constexpr Stored stored_as(DType dtype) {
  return dtype == DType::f32 ? Stored::f32 : Stored::f64;
}

/// Which of them a reader takes.
enum class Accept : std::uint8_t { ours, all };

/// One tensor: where its bytes lie in the data.
struct Entry {
  std::string name;
  Stored stored = Stored::f32;
  Shape shape;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::size_t place = 0;  // in the header: orders tensors without bytes
};

struct Header {
  Metadata metadata;
  std::vector<Entry> entries;  // in the order of their data, without gap or overlap
};

/// Throws a FileError that says what is wrong (the path is the caller's to add) unless the header
/// is sound and describes exactly `data_bytes` bytes.
Header parse_header(std::string_view text, std::uint64_t data_bytes, Accept accept = Accept::ours);
/// Reads the length and the header of a file that was just opened; FileError with the path.
Header read_header(const std::string& path, FileReader& file, Accept accept = Accept::ours);

/// The header's text, padded with spaces to whole words.
std::string header_text(const Header& header);

}  // namespace heddle::safetensors
