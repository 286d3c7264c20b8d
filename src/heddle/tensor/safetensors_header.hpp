// The header of a safetensors file: text to checked entries and back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/tensor/safetensors.hpp"

namespace heddle::safetensors {

constexpr std::uint64_t kLengthBytes = 8;           // the header's length, little-endian
constexpr std::uint64_t kMostHeader = 100'000'000;  // as in the format's own reader
constexpr std::size_t kMostName = 1024;             // bytes
constexpr std::string_view kMetadata = "__metadata__";

/// One tensor: where its bytes lie in the data.
struct Entry {
  std::string name;
  DType dtype = DType::f32;
  Shape shape;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::size_t place = 0;  // in the header: orders tensors without bytes
};

struct Header {
  Metadata metadata;
  std::vector<Entry> entries;  // in the order of their data, without gap or overlap
};

std::string_view dtype_name(DType dtype);

/// Throws a FileError that says what is wrong (the path is the caller's to add) unless the header
/// is sound and describes exactly `data_bytes` bytes.
Header parse_header(std::string_view text, std::uint64_t data_bytes);

/// The header's text, padded with spaces to whole words.
std::string header_text(const Header& header);

}  // namespace heddle::safetensors
