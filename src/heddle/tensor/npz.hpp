// Arrays for NumPy: an .npz file written one array, or one piece of an array, at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "heddle/base/file.hpp"
#include "heddle/tensor/tensor.hpp"

namespace heddle {

enum class NpyType : std::uint8_t { f32, f64, i32, i64 };

template <class T>
constexpr NpyType npy_type_of() {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double> ||
                std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::int64_t>);
  if constexpr (std::is_same_v<T, float>) return NpyType::f32;
  if constexpr (std::is_same_v<T, double>) return NpyType::f64;
  return sizeof(T) == sizeof(std::int32_t) ? NpyType::i32 : NpyType::i64;
}

/// Memory stays flat however large the arrays are; without commit() nothing is left behind.
class NpzWriter {
 public:
  explicit NpzWriter(std::string path) : file_(std::move(path)) {}

  void add(const std::string& name, const Tensor& tensor);
  template <class T>
  void add(const std::string& name, const Shape& shape, std::span<const T> numbers) {
    begin(name, shape, npy_type_of<T>());
    append(numbers);
    end();
  }

  /// A list of UTF-8 texts as NumPy's '<U': array[i] is a str.
  void add_texts(const std::string& name, std::span<const std::string> texts);

  /// One array in pieces, in row-major order; end() refuses more or fewer numbers than the shape.
  void begin(const std::string& name, const Shape& shape, NpyType type);
  template <class T>
  void append(std::span<const T> numbers) {
    append_bytes(npy_type_of<T>(), std::as_bytes(numbers));
  }
  void end();

  /// Writes the list of arrays and puts the file in place.
  void commit();

 private:
  struct Array {
    std::string file_name;
    std::uint64_t offset = 0;  // of its local header
    std::uint64_t size = 0;    // bytes, with the .npy header
    std::uint32_t crc = 0;
  };

  /// `description` as NumPy writes it; elements of `width` bytes.
  void begin_as(const std::string& name, const Shape& shape, const std::string& description,
                std::size_t width);
  void append_bytes(NpyType type, std::span<const std::byte> bytes);
  void put(std::span<const std::byte> bytes);

  FileWriter file_;
  std::string directory_;  // the list of finished arrays
  std::uint64_t arrays_ = 0;
  std::set<std::string> names_;
  Array array_;  // the one in the making
  NpyType type_ = NpyType::f32;
  std::uint64_t missing_ = 0;  // its bytes still to come
  bool inside_ = false;
};

}  // namespace heddle
