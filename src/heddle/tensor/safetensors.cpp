// See safetensors.hpp.
#include "heddle/tensor/safetensors.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <unordered_set>

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/tensor/checksum.hpp"
#include "heddle/tensor/dispatch.hpp"
#include "heddle/tensor/safetensors_header.hpp"

namespace heddle {
namespace {

using namespace safetensors;  // NOLINT(google-build-using-namespace): the other half of this file

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

const std::string kMarkKey = "heddle.file";          // NOLINT: two short strings, made once
const std::string kChecksumKey = "heddle.checksum";  // NOLINT
constexpr std::string_view kMark = "1";

std::span<const std::byte> bytes_of(const Tensor& tensor) {
  return dispatch(tensor.dtype(), [&]<class T>() { return std::as_bytes(tensor.flat<T>()); });
}

std::span<std::byte> writable_bytes_of(Tensor& tensor) {
  return dispatch(tensor.dtype(), [&]<class T>() {
    return std::as_writable_bytes(std::span(tensor.write<T>(), tensor.flat<T>().size()));
  });
}

/// Of everything but itself: a sum over names, so the order in the file does not matter.
std::string content_checksum(const Metadata& metadata, std::span<const NamedTensor> tensors) {
  std::uint64_t sum = 0;
  for (const auto& [key, value] : metadata)
    if (key != kChecksumKey) sum += checksum64(value, checksum64(key, 1));
  for (const auto& [name, tensor] : tensors) {
    const std::string shape = tensor.shape().text();
    const std::uint64_t kind =
        checksum64(shape, checksum64(stored_name(stored_as(tensor.dtype())), 2));
    sum += checksum64(bytes_of(tensor), checksum64(name, kind));
  }
  return fmt::format("{:016x}", sum);
}

Header header_of(std::span<const NamedTensor> tensors, const Metadata& metadata) {
  Header header;
  header.metadata = metadata;
  std::unordered_set<std::string_view> seen;
  for (const auto& [name, tensor] : tensors) {
    check(!tensor.empty(), "write_safetensors: tensor {} holds nothing", quote(name));
    check(name != kMetadata && name.size() <= kMostName && is_utf8(name),
          "write_safetensors: {} cannot name a tensor", quote(name));
    check(seen.insert(name).second, "write_safetensors: the name {} comes twice", quote(name));
    const std::uint64_t begin = header.entries.empty() ? 0 : header.entries.back().end;
    header.entries.push_back({.name = name,
                              .stored = stored_as(tensor.dtype()),
                              .shape = tensor.shape(),
                              .begin = begin,
                              .end = begin + tensor.bytes()});
  }
  for (const auto& [key, value] : metadata)
    check(is_utf8(key) && is_utf8(value) && key != kMarkKey && key != kChecksumKey,
          "write_safetensors: the metadata {} is reserved or not UTF-8", quote(key));
  header.metadata.emplace(kMarkKey, kMark);
  header.metadata.emplace(kChecksumKey, content_checksum(header.metadata, tensors));
  return header;
}

/// Takes our two entries out of the metadata and holds the content against them.
void verify(const std::string& path, SafetensorsFile& file) {
  file.checked = file.metadata.contains(kMarkKey) || file.metadata.contains(kChecksumKey);
  file.checksum = content_checksum(file.metadata, file.tensors);
  if (!file.checked) return;
  const std::string said = file.metadata[kChecksumKey];
  check<FileError>(said == file.checksum,
                   "{} is damaged: its content gives the checksum {}, its metadata says {}",
                   quote_path(path), file.checksum, quote(said));
  file.metadata.erase(kMarkKey);
  file.metadata.erase(kChecksumKey);
}

}  // namespace

const Tensor* SafetensorsFile::find(std::string_view name) const {
  for (const NamedTensor& entry : tensors)
    if (entry.name == name) return &entry.tensor;
  return nullptr;
}

std::string write_safetensors(const std::string& path, std::span<const NamedTensor> tensors,
                              const Metadata& metadata) {
  const Header content = header_of(tensors, metadata);
  const std::string header = header_text(content);
  const std::uint64_t length = header.size();
  FileWriter file(path);
  file.append(std::as_bytes(std::span(&length, 1)));
  file.append(header);
  for (const NamedTensor& entry : tensors) file.append(bytes_of(entry.tensor));
  file.commit();
  return content.metadata.at(kChecksumKey);
}

SafetensorsFile read_safetensors(const std::string& path) {
  FileReader source(path);
  Header header = read_header(path, source);
  SafetensorsFile file;
  file.metadata = std::move(header.metadata);
  file.tensors.reserve(header.entries.size());
  for (Entry& entry : header.entries) {
    Tensor tensor =
        Tensor::uninitialised(entry.shape, entry.stored == Stored::f32 ? DType::f32 : DType::f64);
    source.read(writable_bytes_of(tensor));
    file.tensors.push_back({std::move(entry.name), std::move(tensor)});
  }
  verify(path, file);
  return file;
}

}  // namespace heddle
