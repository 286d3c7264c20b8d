// Memory that the system offers, so that what cannot work is refused before it is begun.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "heddle/base/check.hpp"

namespace heddle {

/// Bytes that this process may still take, about: the least of what the machine has free (swap
/// included), what the limits of its control groups are and what ulimit leaves. Asked anew on every
/// call.
double memory_offered();
/// The same from the texts of files below `root`, which is "/" on a real system.
double memory_offered(const std::string& root);

/// "21.3 GiB".
std::string format_bytes(double bytes);

/// Throws E, "<what> needs 412.0 GiB of memory, and 21.3 GiB are to be had", where less is offered.
template <class E = Error>
void check_memory(double bytes, std::string_view what) {
  constexpr double kSmall = 64 << 20U;  // not worth a look at the system
  if (bytes <= kSmall) return;
  const double offered = memory_offered();
  check<E>(bytes <= offered, "{} needs {} of memory, and {} are to be had", what,
           format_bytes(bytes), format_bytes(offered));
}

}  // namespace heddle
