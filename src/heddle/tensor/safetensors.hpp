// The safetensors format: named tensors behind a JSON header, readable by anybody.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/tensor/tensor.hpp"

namespace heddle {

struct NamedTensor {
  std::string name;
  Tensor tensor;
};

using Metadata = std::map<std::string, std::string>;

struct SafetensorsFile {
  Metadata metadata;                 // as given to the writer
  std::string checksum;              // of all that it holds; two files that differ differ in it
  bool checked = false;              // it carries this checksum, so it is as it was written
  std::vector<NamedTensor> tensors;  // in the order of their data

  /// The tensor of that name, or null.
  const Tensor* find(std::string_view name) const;
};

/// Writes the tensors in the given order, whole or not at all. Equal content gives equal bytes.
/// The metadata gets two entries more, `heddle.file` and `heddle.checksum`, by which the reader
/// tells damage; metadata of these names, empty tensors and repeated names are refused. Returns the
/// checksum.
std::string write_safetensors(const std::string& path, std::span<const NamedTensor> tensors,
                              const Metadata& metadata = {});

/// Reads a file made by anybody (F32 and F64, up to six axes), believes nothing in it, and takes no
/// more memory than its size justifies. What carries our checksum must fit it. Throws FileError.
SafetensorsFile read_safetensors(const std::string& path);

}  // namespace heddle
