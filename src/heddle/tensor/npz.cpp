// See npz.hpp. The file is a zip archive without compression, one .npy (version 1.0) per array;
// sizes and offsets of 4 GiB and more go into zip64 fields. The date is fixed: equal arrays, equal
// bytes.
#include "heddle/tensor/npz.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <vector>

#include "heddle/base/text.hpp"
#include "heddle/tensor/checksum.hpp"
#include "heddle/tensor/dispatch.hpp"

namespace heddle {
namespace {

static_assert(std::endian::native == std::endian::little, "zip and '<f4' are little-endian");

constexpr std::uint32_t kLocal = 0x04034B50;
constexpr std::uint32_t kCentral = 0x02014B50;
constexpr std::uint32_t kEnd = 0x06054B50;
constexpr std::uint32_t kEnd64 = 0x06064B50;
constexpr std::uint32_t kEnd64Locator = 0x07064B50;
constexpr std::uint16_t kVersion = 20;
constexpr std::uint16_t kVersion64 = 45;
constexpr std::uint16_t kNamesAreUtf8 = 0x0800;
constexpr std::uint16_t kFirstOf1980 = 0x0021;
constexpr std::uint16_t kExtra64 = 1;
constexpr std::uint32_t kSee64 = 0xFFFFFFFF;
constexpr std::uint16_t kCountSee64 = 0xFFFF;
constexpr std::uint64_t kCrcOffset = 14;  // within a local header
constexpr std::size_t kMostName = 1024;
constexpr std::size_t kNpyAlignment = 64;
constexpr std::size_t kNpyBefore = 10;  // magic, version, length

/// Little-endian fields, one after the other.
class Fields {
 public:
  Fields& u16(std::uint64_t value) { return put(value, 2); }
  Fields& u32(std::uint64_t value) { return put(value, 4); }
  Fields& u64(std::uint64_t value) { return put(value, 8); }
  Fields& text(std::string_view text) {
    bytes_ += text;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  Fields& put(std::uint64_t value, int count) {
    for (; count > 0; --count, value >>= 8U) bytes_ += static_cast<char>(value & 0xFFU);
    return *this;
  }
  std::string bytes_;
};

bool large(std::uint64_t value) {
  return value >= kSee64;
}
std::uint64_t or_see64(std::uint64_t value) {
  return large(value) ? kSee64 : value;
}

std::size_t width(NpyType type) {
  return type == NpyType::f32 || type == NpyType::i32 ? 4 : 8;
}

std::string_view description(NpyType type) {
  switch (type) {
    case NpyType::f32:
      return "<f4";
    case NpyType::f64:
      return "<f8";
    case NpyType::i32:
      return "<i4";
    default:
      return "<i8";
  }
}

/// The characters of well-formed UTF-8.
std::u32string code_points(std::string_view text) {
  constexpr unsigned kBits = 6, kLow = 0x3F;
  std::u32string points;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0U) == 0x80U) {
      points.back() = (points.back() << kBits) | (byte & kLow);
    } else {
      const unsigned lead = byte < 0x80U   ? byte
                            : byte < 0xE0U ? byte & 0x1FU
                            : byte < 0xF0U ? byte & 0x0FU
                                           : byte & 0x07U;
      points += static_cast<char32_t>(lead);
    }
  }
  return points;
}

/// Magic, version, length and the dictionary, padded so that the numbers begin at a multiple of 64.
std::string npy_header(const Shape& shape, std::string_view type) {
  std::string extents;
  for (const Index extent : shape) extents += fmt::format("{}, ", extent);
  if (shape.rank() > 0) extents.pop_back();  // (2, 3,) and (5,) are tuples, and so is ()
  std::string dictionary =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, extents);
  const std::size_t used = kNpyBefore + dictionary.size() + 1;
  dictionary.append((kNpyAlignment - used % kNpyAlignment) % kNpyAlignment, ' ');
  dictionary += '\n';
  return Fields()
             .text("\x93NUMPY")
             .text(std::string_view("\1\0", 2))
             .u16(dictionary.size())
             .bytes() +
         dictionary;
}

/// What local and central headers share: from the flags to the length of the name.
void put_common(Fields& fields, std::string_view name, std::uint32_t crc, std::uint64_t size) {
  fields.u16(kNamesAreUtf8).u16(0).u16(0).u16(kFirstOf1980);
  fields.u32(crc).u32(or_see64(size)).u32(or_see64(size)).u16(name.size());
}

std::string local_header(std::string_view name, std::uint64_t size) {
  Fields fields;
  fields.u32(kLocal).u16(large(size) ? kVersion64 : kVersion);
  put_common(fields, name, 0, size);  // the checksum is known at the end
  fields.u16(large(size) ? 20 : 0).text(name);
  if (large(size)) fields.u16(kExtra64).u16(16).u64(size).u64(size);
  return fields.bytes();
}

std::string end_of_zip(std::uint64_t arrays, std::uint64_t offset, std::uint64_t size) {
  Fields fields;
  if (arrays >= kCountSee64 || large(offset) || large(size)) {
    fields.u32(kEnd64).u64(44).u16(kVersion64).u16(kVersion64).u32(0).u32(0);
    fields.u64(arrays).u64(arrays).u64(size).u64(offset);
    fields.u32(kEnd64Locator).u32(0).u64(offset + size).u32(1);
  }
  const std::uint64_t count = arrays >= kCountSee64 ? kCountSee64 : arrays;
  fields.u32(kEnd).u16(0).u16(0).u16(count).u16(count);
  fields.u32(or_see64(size)).u32(or_see64(offset)).u16(0);
  return fields.bytes();
}

}  // namespace

void NpzWriter::add(const std::string& name, const Tensor& tensor) {
  check(!tensor.empty(), "npz: array {} holds nothing", quote(name));
  dispatch(tensor.dtype(), [&]<class T>() { add(name, tensor.shape(), tensor.flat<T>()); });
}

void NpzWriter::begin(const std::string& name, const Shape& shape, NpyType type) {
  begin_as(name, shape, std::string(description(type)), width(type));
  type_ = type;
}

void NpzWriter::add_texts(const std::string& name, std::span<const std::string> texts) {
  std::vector<std::u32string> points;
  std::size_t longest = 1;  // NumPy has no texts of no width
  for (const std::string& text : texts) {
    check(is_utf8(text), "npz: array {} holds a text that is not UTF-8", quote(name));
    longest = std::max(longest, points.emplace_back(code_points(text)).size());
  }
  begin_as(name, {std::ssize(texts)}, fmt::format("<U{}", longest), longest * sizeof(char32_t));
  for (std::u32string& text : points) {
    text.resize(longest);  // zeros at the end are no letters
    missing_ -= text.size() * sizeof(char32_t);
    put(std::as_bytes(std::span(text)));
  }
  end();
}

void NpzWriter::begin_as(const std::string& name, const Shape& shape,
                         const std::string& description, std::size_t width) {
  check(!inside_, "npz: array {} begins before {} ends", quote(name), quote(array_.file_name));
  check(!name.empty() && name.size() <= kMostName && is_utf8(name) &&
            name.find('\0') == std::string::npos,
        "npz: {} cannot name an array", quote(name));
  check(names_.insert(name).second, "npz: the name {} comes twice", quote(name));
  const std::string header = npy_header(shape, description);
  missing_ = static_cast<std::uint64_t>(shape.size()) * width;
  array_ = {.file_name = name + ".npy", .offset = file_.size(), .size = header.size() + missing_};
  inside_ = true;
  file_.append(local_header(array_.file_name, array_.size));
  put(std::as_bytes(std::span(header)));
}

void NpzWriter::append_bytes(NpyType type, std::span<const std::byte> bytes) {
  check(inside_, "npz: append without begin");
  check(type == type_, "npz: array {} holds {}, got {}", quote(array_.file_name),
        description(type_), description(type));
  check<ShapeError>(bytes.size() <= missing_,
                    "npz: array {} gets {} bytes, its shape has room for {}",
                    quote(array_.file_name), bytes.size(), missing_);
  missing_ -= bytes.size();
  put(bytes);
}

void NpzWriter::put(std::span<const std::byte> bytes) {
  array_.crc = crc32(bytes, array_.crc);
  file_.append(bytes);
}

void NpzWriter::end() {
  check(inside_, "npz: end without begin");
  check<ShapeError>(missing_ == 0, "npz: array {} lacks {} bytes of its shape",
                    quote(array_.file_name), missing_);
  inside_ = false;
  file_.overwrite(array_.offset + kCrcOffset, Fields().u32(array_.crc).bytes());

  Fields extra;  // only what does not fit its plain field, in this order
  if (large(array_.size)) extra.u64(array_.size).u64(array_.size);
  if (large(array_.offset)) extra.u64(array_.offset);
  const std::size_t length = extra.bytes().size();
  const std::uint16_t version = length > 0 ? kVersion64 : kVersion;
  Fields fields;
  fields.u32(kCentral).u16(version).u16(version);
  put_common(fields, array_.file_name, array_.crc, array_.size);
  fields.u16(length > 0 ? length + 4 : 0).u16(0).u16(0).u16(0).u32(0);
  fields.u32(or_see64(array_.offset)).text(array_.file_name);
  if (length > 0) fields.u16(kExtra64).u16(length).text(extra.bytes());
  directory_ += fields.bytes();
  ++arrays_;
}

void NpzWriter::commit() {
  check(!inside_, "npz: array {} has no end", quote(array_.file_name));
  const std::uint64_t offset = file_.size();
  file_.append(directory_);
  file_.append(end_of_zip(arrays_, offset, directory_.size()));
  file_.commit();
}

}  // namespace heddle
