// Feeds arbitrary bytes to the safetensors readers: they may refuse them, and nothing else may
// happen.
//   clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -Isrc tools/fuzz/safetensors.cpp
//     src/heddle/tensor/{safetensors,safetensors_header,foreign,checksum}.cpp
//     src/heddle/base/{file,text,pool,hash}.cpp -lfmt -o fuzz && ./fuzz -max_total_time=120
#include "heddle/tensor/safetensors.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

#include "heddle/base/check.hpp"
#include "heddle/tensor/foreign.hpp"

namespace {

/// What was read can be written, and reads back the same.
void round_trip(const heddle::SafetensorsFile& before, const std::string& path) {
  heddle::write_safetensors(path, before.tensors, before.metadata);
  const heddle::SafetensorsFile after = heddle::read_safetensors(path);
  if (after.metadata != before.metadata || after.tensors.size() != before.tensors.size())
    std::abort();
  for (std::size_t i = 0; i < after.tensors.size(); ++i)
    if (after.tensors[i].name != before.tensors[i].name ||
        !(after.tensors[i].tensor.shape() == before.tensors[i].tensor.shape()))
      std::abort();
}

}  // namespace

// The name is the fuzzer's.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT
  static const int kFile = ::memfd_create("fuzz", 0);
  static const std::string kPath = "/proc/self/fd/" + std::to_string(kFile);
  static const std::string kCopy = "/dev/shm/heddle_fuzz_" + std::to_string(::getpid());
  if (::ftruncate(kFile, 0) != 0 || ::pwrite(kFile, data, size, 0) != static_cast<ssize_t>(size))
    return 0;
  const auto guarded = [](const auto& body) {
    try {
      body();
    } catch (const heddle::FileError& error) {
      if (std::string(error.what()).find('\n') != std::string::npos) std::abort();
    }
  };
  guarded([] { round_trip(heddle::read_safetensors(kPath), kCopy); });
  guarded([] {
    for (const heddle::ForeignTensor& tensor : heddle::read_foreign(kPath).tensors)
      if (tensor.numbers().size() != tensor.shape.size()) std::abort();
  });
  return 0;
}
