// The choice of an instruction set, once per process.
#include <atomic>

#include "heddle/base/check.hpp"
#include "heddle/kernels/isa.hpp"
#include "heddle/kernels/table.hpp"

namespace heddle::kernels {

// Each is defined by cpu/table.cpp, compiled once per level.
namespace baseline {
const Table& table();
}
namespace avx2 {
const Table& table();
}
namespace avx512 {
const Table& table();
}

namespace {

/// Every level of this build that this machine can run, slowest first.
std::vector<const Table*> usable_tables() {
  std::vector<const Table*> usable{&baseline::table()};
#ifdef HEDDLE_HAS_avx2
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (has_avx2) usable.push_back(&avx2::table());
#endif
#ifdef HEDDLE_HAS_avx512
  const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                          __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  if (has_avx2 && has_avx512) usable.push_back(&avx512::table());
#endif
  return usable;
}

/// The one place that remembers the choice. Atomic, since worker threads read it.
std::atomic<const Table*>& current() {
  static std::atomic<const Table*> table{usable_tables().back()};
  return table;
}

}  // namespace

const Table& active_table() {
  return *current().load(std::memory_order_relaxed);
}

std::vector<std::string> isa_levels() {
  std::vector<std::string> names;
  for (const Table* table : usable_tables()) names.emplace_back(table->name);
  return names;
}

std::string_view isa() {
  return active_table().name;
}

double multiply_adds(std::ptrdiff_t rounds) {
  return active_table().multiply_adds(rounds);
}

void pin_isa(std::string_view level) {
  std::string known;
  for (const Table* table : usable_tables()) {
    if (level == table->name) {
      current().store(table, std::memory_order_relaxed);
      return;
    }
    known += (known.empty() ? "" : ", ") + std::string(table->name);
  }
  throw UsageError(fmt::format("instruction set '{}' is not one of: {}", level, known));
}

}  // namespace heddle::kernels
