// Safetensors files of other programs: numbers in any of the format's usual types, kept as stored
// until somebody asks for them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/tensor/safetensors_header.hpp"
#include "heddle/tensor/tensor.hpp"

namespace heddle {

struct ForeignTensor {
  std::string name;
  safetensors::Stored stored = safetensors::Stored::f32;
  Shape shape{};
  std::vector<std::byte> bytes{};

  /// F32, F64, F16 or BF16, against whole numbers and truth values.
  bool floating() const;
  /// Its numbers in double, exactly. FileError for a whole number beyond 2⁵³.
  Tensor numbers() const;
  /// The largest relative error of one rounding to the stored type; 0 for whole numbers.
  double rounding() const;
};

struct ForeignFile {
  std::string path;
  std::string hash;  ///< of all its bytes: sixteen hexadecimal digits
  std::vector<ForeignTensor> tensors;

  /// The tensor of that name, or null.
  const ForeignTensor* find(std::string_view name) const;
  std::vector<std::string> names() const;
};

/// Believes nothing in the file and takes no more memory than its size justifies. FileError, one
/// line, for what is no sound safetensors file.
ForeignFile read_foreign(const std::string& path);

}  // namespace heddle
