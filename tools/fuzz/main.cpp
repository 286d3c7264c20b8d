// The targets of tests/fuzz under libFuzzer: HEDDLE_FUZZ=NAME says which. tools/fuzz/run builds and
// starts it.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>

#include "tests/fuzz/json_mutator.hpp"
#include "tests/fuzz/target.hpp"

// The names are the fuzzer's. NOLINTBEGIN
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

const heddle::testing::FuzzTarget& target() {
  static const heddle::testing::FuzzTarget* const kTarget = [] {
    const char* name = std::getenv("HEDDLE_FUZZ");
    const auto* found = heddle::testing::find_target(name == nullptr ? "" : name);
    if (found != nullptr) return found;
    std::fprintf(stderr, "HEDDLE_FUZZ must be one of:");
    for (const auto& each : heddle::testing::fuzz_targets())
      std::fprintf(stderr, " %.*s", static_cast<int>(each.name.size()), each.name.data());
    std::fprintf(stderr, "\n");
    std::exit(2);
  }();
  return *kTarget;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*count*/, char*** /*words*/) {
  (void)target();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    target().run(std::string_view(reinterpret_cast<const char*>(data), size));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", std::string(target().name).c_str(), error.what());
    std::abort();
  }
  return 0;
}

/// Of JSON three changes in four keep its structure.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  if (!target().json || seed % 4 == 0) return LLVMFuzzerMutate(data, size, most);
  const std::string changed = heddle::testing::mutated_json(
      std::string_view(reinterpret_cast<const char*>(data), size), most, seed);
  std::memcpy(data, changed.data(), changed.size());
  return changed.size();
}
// NOLINTEND
