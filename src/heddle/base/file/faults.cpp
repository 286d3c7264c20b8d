// See faults.hpp.
#include "heddle/base/file/faults.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <string>
#include <utility>

#include <unistd.h>

#include "heddle/base/check.hpp"
#include "heddle/base/text.hpp"

namespace heddle {
namespace {

enum class Kind : std::uint8_t { none, fail, shorter, crash_before, crash_after, trace };

struct Plan {
  Kind kind = Kind::none;
  int error = 0;
  std::int64_t at = 0;  // the call, or the trace's descriptor
  bool and_after = false;
};

// Set before the first file is touched, read by every call.
Plan plan;                           // NOLINT: a hook into calls that know nobody
std::atomic<std::int64_t> calls{0};  // NOLINT: the same

constexpr std::array<std::pair<std::string_view, Kind>, 5> kKinds{
    {{"fail", Kind::fail},
     {"short", Kind::shorter},
     {"crash-before", Kind::crash_before},
     {"crash-after", Kind::crash_after},
     {"trace", Kind::trace}}};

constexpr std::array<std::pair<std::string_view, int>, 8> kErrors{{{"EIO", EIO},
                                                                   {"ENOSPC", ENOSPC},
                                                                   {"EINTR", EINTR},
                                                                   {"EACCES", EACCES},
                                                                   {"EMFILE", EMFILE},
                                                                   {"EROFS", EROFS},
                                                                   {"EDQUOT", EDQUOT},
                                                                   {"ENOLCK", ENOLCK}}};

template <class Table, class Value>
bool look_up(const Table& table, std::string_view name, Value& value) {
  for (const auto& [known, its] : table)
    if (known == name) {
      value = its;
      return true;
    }
  return false;
}

/// False if the text is no plan.
bool parse(std::string_view text, Plan& parsed) {
  const std::size_t mark = text.find('@');
  if (mark == std::string_view::npos) return false;
  std::string_view kind = text.substr(0, mark), number = text.substr(mark + 1), error;
  if (const std::size_t colon = kind.find(':'); colon != std::string_view::npos) {
    error = kind.substr(colon + 1);
    kind = kind.substr(0, colon);
  }
  if (!look_up(kKinds, kind, parsed.kind)) return false;
  if ((parsed.kind == Kind::fail) != look_up(kErrors, error, parsed.error)) return false;
  if (parsed.kind != Kind::fail && !error.empty()) return false;
  if (parsed.kind == Kind::fail && number.ends_with('+')) {
    parsed.and_after = true;
    number.remove_suffix(1);
  }
  const auto [end, problem] =
      std::from_chars(number.data(), number.data() + number.size(), parsed.at);
  return problem == std::errc() && end == number.data() + number.size() && parsed.at > 0;
}

[[noreturn]] void crash() {
  ::_exit(kCrashExit);
}

}  // namespace

void arm_file_faults(std::string_view spec) {
  Plan parsed;
  check<UsageError>(spec.empty() || parse(spec, parsed),
                    "file faults {}: accepted are fail:ERROR@K, fail:ERROR@K+, short@K, "
                    "crash-before@K, crash-after@K, trace@DESCRIPTOR",
                    quote(spec));
  calls = 0;
  plan = parsed;
}

FileFault next_file_fault(std::string_view call, std::string_view what, bool changes) {
  if (plan.kind == Kind::none) return {};
  if (plan.kind == Kind::trace) {
    const std::string line = fmt::format("{} {}\n", call, what);
    (void)!::write(static_cast<int>(plan.at), line.data(), line.size());
    return {};
  }
  const std::int64_t mine = ++calls;
  if (mine < plan.at || (mine > plan.at && !(plan.and_after && changes))) return {};
  if (plan.kind == Kind::crash_before) crash();
  return {.error = plan.error,
          .shorter = plan.kind == Kind::shorter,
          .ends_after = plan.kind == Kind::crash_after};
}

void after_file_call(const FileFault& fault) {
  if (fault.ends_after) crash();
}

}  // namespace heddle
