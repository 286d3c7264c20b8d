// See foreign.hpp.
#include "heddle/tensor/foreign.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "heddle/base/file.hpp"
#include "heddle/base/hash.hpp"
#include "heddle/base/text.hpp"

namespace heddle {
namespace {

using safetensors::Stored;

/// Sign, 5 bits of exponent, 10 of fraction.
double half(std::uint16_t bits) {
  constexpr int kFraction = 10, kBias = 15, kSpecial = 31;
  const int exponent = (bits >> kFraction) & kSpecial;
  const double fraction = std::ldexp(static_cast<double>(bits & 0x3ffU), -kFraction);
  double size = 0;
  if (exponent == kSpecial) {
    size = fraction == 0 ? HUGE_VAL : std::nan("");
  } else {
    size = exponent == 0 ? std::ldexp(fraction, 1 - kBias)
                         : std::ldexp(1 + fraction, exponent - kBias);
  }
  return (bits & 0x8000U) != 0 ? -size : size;
}

/// The upper half of a float.
double from_bfloat16(std::uint16_t bits) {
  return static_cast<double>(std::bit_cast<float>(std::uint32_t{bits} << 16U));
}

/// Calls see(number) for each number of type T.
template <class T, class See>
void each(const std::vector<std::byte>& bytes, See see) {
  for (std::size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
    T number;
    std::memcpy(&number, bytes.data() + at, sizeof(T));
    see(number);
  }
}

/// The same, whatever the type is.
template <class See>
void each(Stored stored, const std::vector<std::byte>& bytes, See see) {
  switch (stored) {
    case Stored::f32:
      return each<float>(bytes, see);
    case Stored::f64:
      return each<double>(bytes, see);
    case Stored::f16:
      return each<std::uint16_t>(bytes, [&](std::uint16_t bits) { see(half(bits)); });
    case Stored::bf16:
      return each<std::uint16_t>(bytes, [&](std::uint16_t bits) { see(from_bfloat16(bits)); });
    case Stored::i8:
      return each<std::int8_t>(bytes, see);
    case Stored::i16:
      return each<std::int16_t>(bytes, see);
    case Stored::i32:
      return each<std::int32_t>(bytes, see);
    case Stored::i64:
      return each<std::int64_t>(bytes, see);
    case Stored::u16:
      return each<std::uint16_t>(bytes, see);
    case Stored::u32:
      return each<std::uint32_t>(bytes, see);
    case Stored::u64:
      return each<std::uint64_t>(bytes, see);
    case Stored::u8:
    case Stored::boolean:
      return each<std::uint8_t>(bytes, see);
  }
}

std::string hash_of(const std::string& path) {
  constexpr std::uint64_t kPiece = 1 << 16U;
  FileReader file(path);
  Hash hash;
  std::array<std::byte, kPiece> piece{};
  for (std::uint64_t left = file.size(); left > 0;) {
    const auto part = std::span(piece).first(std::min(left, kPiece));
    file.read(part);
    hash.bytes({reinterpret_cast<const std::uint8_t*>(part.data()), part.size()});
    left -= part.size();
  }
  return hash.hex();
}

/// What torch.save writes: a zip archive, or in older versions a pickle of protocol 2 to 5.
void refuse_pickle(const std::string& path) {
  FileReader source(path);
  std::array<char, 4> start{};
  if (source.size() < start.size()) return;
  source.read(std::as_writable_bytes(std::span(start)));
  const std::string_view bytes(start.data(), start.size());
  const bool zip = bytes == "PK\x03\x04",
             pickle = start[0] == '\x80' && start[1] >= 2 && start[1] <= 5;
  // A safetensors header of this length would be above the largest that is accepted.
  const bool too_long_for_ours = static_cast<unsigned char>(start[3]) >= 0x0A;
  check<FileError>(!zip && !(pickle && too_long_for_ours),
                   "{} is a file of torch.save; weights are read from safetensors: save them with "
                   "safetensors.torch.save_file(model.state_dict(), 'weights.safetensors')",
                   quote_path(path));
}

}  // namespace

bool ForeignTensor::floating() const {
  return rounding() > 0;
}

double ForeignTensor::rounding() const {
  switch (stored) {
    case Stored::f32:
      return 0x1p-24;
    case Stored::f64:
      return 0x1p-53;
    case Stored::f16:
      return 0x1p-11;
    case Stored::bf16:
      return 0x1p-8;
    default:
      return 0;
  }
}

Tensor ForeignTensor::numbers() const {
  constexpr double kExact = 0x1p53;
  Tensor all = Tensor::uninitialised(shape, DType::f64);
  auto* out = all.write<double>();
  each(stored, bytes, [&](auto number) { *out++ = static_cast<double>(number); });
  if (floating()) return all;
  for (const double number : all.flat<double>())
    check<FileError>(std::abs(number) <= kExact, "tensor {} holds {}; accepted is at most 2^53",
                     quote(name), number);
  return all;
}

const ForeignTensor* ForeignFile::find(std::string_view name) const {
  const auto found = std::ranges::find(tensors, name, &ForeignTensor::name);
  return found == tensors.end() ? nullptr : &*found;
}

std::vector<std::string> ForeignFile::names() const {
  std::vector<std::string> all;
  all.reserve(tensors.size());
  for (const ForeignTensor& tensor : tensors) all.push_back(tensor.name);
  return all;
}

ForeignFile read_foreign(const std::string& path) {
  refuse_pickle(path);
  FileReader source(path);
  safetensors::Header header = read_header(path, source, safetensors::Accept::all);
  ForeignFile file{.path = path, .hash = "", .tensors = {}};
  file.tensors.reserve(header.entries.size());
  for (safetensors::Entry& entry : header.entries) {
    ForeignTensor& tensor = file.tensors.emplace_back();
    tensor.name = std::move(entry.name);
    tensor.stored = entry.stored;
    tensor.shape = entry.shape;
    tensor.bytes.resize(entry.end - entry.begin);
    source.read(tensor.bytes);
  }
  file.hash = hash_of(path);
  return file;
}

}  // namespace heddle
