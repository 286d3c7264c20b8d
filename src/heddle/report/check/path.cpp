// See path.hpp.
#include "heddle/report/check/path.hpp"

#include "heddle/base/index.hpp"
#include "heddle/base/text.hpp"

namespace heddle::report {

const Json* find_path(const Json& results, const std::string& path) {
  const Json* at = &results;
  if (path.empty()) return at;
  for (const std::string& part : split(path, '.')) {
    if (at->is_array()) {
      const auto index = parse_int(part);
      if (!index || *index < 0 || to_size(*index) >= at->size()) return nullptr;
      at = &(*at)[to_size(*index)];
    } else {
      at = at->lookup(part);
      if (at == nullptr) return nullptr;
    }
  }
  return at;
}

}  // namespace heddle::report
