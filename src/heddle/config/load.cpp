// Settings from --set and from JSON: both end in parse_field.
#include "heddle/config/load.hpp"

#include <algorithm>
#include <vector>

#include "heddle/base/json.hpp"
#include "heddle/base/text.hpp"
#include "heddle/config/head_names.hpp"

namespace heddle {

namespace {

/// Of one task, or of all where none is named.
std::vector<std::string> setting_names(std::string_view task = "") {
  std::vector<std::string> names;
  const Config config;
  walk(config, [&](const auto& field) {
    if (task.empty() || field.range.belongs_to(task)) names.push_back(field.path);
  });
  return names;
}

/// "model.heads" → "heads".
std::string_view leaf(std::string_view path) {
  return path.substr(path.rfind('.') + 1);
}

[[noreturn]] void refuse_unknown(std::string_view key, const std::vector<std::string>& names) {
  std::vector<std::string> known = names;
  if (key.find('.') == std::string_view::npos)
    for (std::string& name : known) name = leaf(name);
  std::string hint = did_you_mean(key, known);
  if (hint.empty()) hint = ": `heddle config` lists the settings";
  throw UsageError(fmt::format("unknown setting {}{}", quote(key), hint));
}

/// The JSON value at "group.name" or "name"; null where there is none.
const Json* find(const Json& root, const std::string& path) {
  const std::size_t dot = path.find('.');
  if (dot == std::string::npos) return root.contains(path) ? &root[path] : nullptr;
  const std::string group = path.substr(0, dot);
  if (!root.contains(group) || !root[group].is_object()) return nullptr;
  const Json& inside = root[group];
  const std::string name = path.substr(dot + 1);
  return inside.contains(name) ? &inside[name] : nullptr;
}

/// Every key is a setting, and one that this task has.
void check_all_known(const Json& root, const std::string& task) {
  const std::vector<std::string> names = setting_names(task);
  const auto check_known = [&](const std::string& path) {
    if (std::ranges::find(names, path) == names.end()) refuse_unknown(path, names);
  };
  for (const auto& [key, value] : root.items()) {
    const std::string prefix = key + ".";
    const bool group = std::ranges::any_of(
        names, [&](const std::string& name) { return name.starts_with(prefix); });
    if (!group) {
      check_known(key);
      continue;
    }
    check<UsageError>(value.is_object(), "setting '{}' is not a group of settings", key);
    for (const auto& inner : value.items()) check_known(prefix + inner.first);
  }
}

template <class T>
void read_field(const Field<T>& field, const Json& value) {
  constexpr bool kText = std::is_same_v<T, std::string>;
  const bool fits = Named<T> || kText  ? value.is_string()
                    : std::integral<T> ? value.is_number_integer()
                                       : value.is_number();
  check<UsageError>(fits, "setting {} has the wrong type: accepted is {}", field.path,
                    field.accepted());
  parse_field(field, value.is_string() ? value.get<std::string>() : value.dump());
}

Json parse_json(std::string_view text) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw UsageError(fmt::format("the configuration is not JSON: wrong at byte {}", error.byte));
  } catch (const Json::exception& error) {
    throw UsageError(fmt::format("the configuration is not JSON: {}", quote(error.what())));
  }
}

}  // namespace

std::string full_name(std::string_view key) {
  const std::vector<std::string> names = setting_names();
  std::vector<std::string> fitting;
  for (const std::string& name : names) {
    if (name == key) return name;
    if (leaf(name) == key) fitting.push_back(name);
  }
  if (fitting.empty()) refuse_unknown(key, names);
  check<UsageError>(fitting.size() == 1, "setting {} could be {}", quote(key),
                    join(fitting, " or "));
  return fitting.front();
}

void set(Config& config, std::string_view key, std::string_view text) {
  const std::string name = full_name(key), task = field_text(config.task.name);
  walk(config, [&](const auto& field) {
    if (field.path != name) return;
    check<UsageError>(field.range.belongs_to(task), "{} is a setting of {}, and the task is {}",
                      name, join(split(field.range.owner, ','), " and "), task);
    parse_field(field, text);
  });
  config.model.cut_heads = sorted_heads(config.model.cut_heads);
}

void set(Config& config, std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  check<UsageError>(equals != std::string_view::npos && equals > 0,
                    "{} is not a setting: accepted is key=value, such as model.heads=8",
                    quote(assignment));
  set(config, assignment.substr(0, equals), assignment.substr(equals + 1));
}

std::string config_json(const Config& config) {
  Json root = Json::object();
  walk_settings(config, [&]<class T>(const Field<T>& field) {
    if (!field.range.written && field_text(field.value) == field.range.when_missing) return;
    const std::size_t dot = field.path.find('.');
    Json& owner = dot == std::string::npos ? root : root[field.path.substr(0, dot)];
    Json& slot = owner[std::string(leaf(field.path))];
    if constexpr (Named<typename Field<T>::Value>) {
      slot = field_text(field.value);
    } else {
      slot = field.value;
    }
  });
  return root.dump(2) + "\n";
}

Config parse_config(std::string_view json_text) {
  const Json root = parse_json(json_text);
  check<UsageError>(root.is_object(), "the configuration is not a JSON object");
  Config config;
  walk(config, [&]<class T>(const Field<T>& field) {
    const Json* value = find(root, field.path);
    if (field.path == "task.name" && value != nullptr) read_field(field, *value);
  });
  check_all_known(root, field_text(config.task.name));
  walk_settings(config, [&]<class T>(const Field<T>& field) {
    const Json* value = find(root, field.path);
    const bool may_miss = std::is_same_v<T, std::string> || !field.range.when_missing.empty();
    if (value == nullptr && may_miss) return;  // the file is older than the setting
    check<UsageError>(value != nullptr, "setting {} is missing", field.path);
    read_field(field, *value);
  });
  config.model.cut_heads = sorted_heads(config.model.cut_heads);
  validate(config);
  return config;
}

}  // namespace heddle
