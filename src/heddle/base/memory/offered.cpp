// See offered.hpp. Control groups tell their limits in files, of either of their two versions.
#include "heddle/base/memory/offered.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>

#include <sys/resource.h>
#include <unistd.h>

namespace heddle {
namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

/// A small file of the system; empty where there is none.
std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The number after a word such as "MemAvailable:"; of an empty word the first. Nothing for "max".
std::optional<double> number_after(const std::string& text, const std::string& word) {
  const std::size_t at = text.find(word);
  if (at == std::string::npos) return std::nullopt;
  std::istringstream rest(text.substr(at + word.size()));
  double number = 0;
  return rest >> number ? std::optional(number) : std::nullopt;
}

double free_memory(const std::string& root) {
  constexpr double kKilo = 1024;
  const std::string info = text_of(root + "proc/meminfo");
  if (const auto available = number_after(info, "MemAvailable:"))
    return kKilo * (*available + number_after(info, "SwapFree:").value_or(0));
  const auto pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? static_cast<double>(pages) * static_cast<double>(size)
                               : kUnlimited;
}

/// The least limit of the group `path` of a hierarchy and of those around it.
double group_limit(const std::string& hierarchy, std::string path, const char* file) {
  double least = kUnlimited;
  for (;;) {
    const auto limit = number_after(text_of(hierarchy + path + "/" + file), "");
    least = std::min(least, limit.value_or(kUnlimited));
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) return least;
    path.resize(slash);
  }
}

/// Of the lines "0::/path" and "7:memory:/path" of /proc/self/cgroup.
double group_limits(const std::string& root) {
  const std::string folder = root + "sys/fs/cgroup";
  double least = std::min(group_limit(folder, "", "memory.max"),
                          group_limit(folder + "/memory", "", "memory.limit_in_bytes"));
  std::istringstream lines(text_of(root + "proc/self/cgroup"));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string kind = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    if (kind.empty()) least = std::min(least, group_limit(folder, path, "memory.max"));
    if (kind.find("memory") != std::string::npos)
      least = std::min(least, group_limit(folder + "/memory", path, "memory.limit_in_bytes"));
  }
  return least;
}

/// What ulimit -v leaves; -d counts nearly the same.
double limit_of_process(const std::string& root) {
  const double page = static_cast<double>(std::max(::sysconf(_SC_PAGESIZE), 1L));
  const double taken = page * number_after(text_of(root + "proc/self/statm"), "").value_or(0);
  double least = kUnlimited;
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    least = static_cast<double>(limit.rlim_cur) - taken;
  if (::getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    least = std::min(least, static_cast<double>(limit.rlim_cur));
  return std::max(least, 0.0);
}

}  // namespace

double memory_offered(const std::string& root) {
  return std::min({free_memory(root), group_limits(root), limit_of_process(root)});
}

double memory_offered() {
  return memory_offered("/");
}

std::string format_bytes(double bytes) {
  constexpr std::array<std::string_view, 7> kUnits{"bytes", "KiB", "MiB", "GiB",
                                                   "TiB",   "PiB", "EiB"};
  constexpr double kStep = 1024;
  std::size_t unit = 0;
  for (; bytes >= kStep && unit + 1 < kUnits.size(); ++unit) bytes /= kStep;
  return unit == 0 ? fmt::format("{:.0f} bytes", bytes)
                   : fmt::format("{:.1f} {}", bytes, kUnits.at(unit));
}

}  // namespace heddle
