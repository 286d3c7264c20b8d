// See changed_setting.hpp.
#include "heddle/config/changed_setting.hpp"

#include <algorithm>

#include "heddle/base/text.hpp"

namespace heddle {
namespace {

constexpr int kSmall = 16, kMostPower = 16;

/// Values that a person may have had there before.
template <class T>
std::vector<std::string> likely_values(const Field<T>& field, const std::string& usual) {
  std::vector<std::string> values{usual};
  if constexpr (Named<typename Field<T>::Value>) {
    for (const std::string_view name : names_of(field.value)) values.emplace_back(name);
  } else if constexpr (std::is_arithmetic_v<typename Field<T>::Value>) {
    const std::string now = field_text(field.value);
    for (std::size_t at = 0; at < now.size(); ++at)
      for (char digit = '0'; digit <= '9'; ++digit)
        if (now[at] >= '0' && now[at] <= '9') values.emplace_back(now)[at] = digit;
    for (int i = 0; i <= kSmall; ++i) values.push_back(std::to_string(i));
    for (int i = 0; i <= kMostPower; ++i) values.push_back(std::to_string(1 << i));
  }
  return values;
}

/// Whether the configuration with this value has the hash.
template <class T>
bool fits(Config& config, const Field<T>& field, const std::string& value,
          const std::string& hash) {
  try {
    parse_field(field, value);
  } catch (const UsageError&) {
    return false;
  }
  return config_hash(config) == hash;
}

}  // namespace

std::optional<std::string> changed_setting(const Config& config, const std::string& hash) {
  std::optional<std::string> found;
  const std::vector<Setting> all = settings(config);
  Config tried = config;
  std::size_t at = 0;
  walk_settings(tried, [&]<class T>(const Field<T>& field) {
    const Setting& setting = all[at++];
    if (found || field.path == "task.name") return;  // another task has other settings
    const T now = field.value;
    for (const std::string& value : likely_values(field, setting.default_value)) {
      if (!fits(tried, field, value, hash)) continue;
      found = fmt::format("{}={}, and {}={} fits", field.path, setting.value, field.path, value);
      break;
    }
    field.value = now;
  });
  return found;
}

}  // namespace heddle
