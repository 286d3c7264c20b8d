// How GoogleTest shows and compares JSON values.
#pragma once

#include <ostream>

#include "heddle/base/json.hpp"

namespace heddle {

inline void PrintTo(const Json& json, std::ostream* out) {  // NOLINT: GoogleTest's name
  *out << json.dump();
}

inline std::ostream& operator<<(std::ostream& out, const Json& json) {
  return out << json.dump();
}
inline bool operator<(const Json& a, const Json& b) {
  return a.get<double>() < b.get<double>();
}
inline bool operator>(const Json& a, const Json& b) {
  return b < a;
}
inline bool operator<=(const Json& a, const Json& b) {
  return a.get<double>() <= b.get<double>();
}
inline bool operator>=(const Json& a, const Json& b) {
  return b <= a;
}

}  // namespace heddle
