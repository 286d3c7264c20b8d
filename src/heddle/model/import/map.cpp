// See map.hpp.
#include "heddle/model/import/map.hpp"

#include <cmath>

#include "heddle/base/file.hpp"
#include "heddle/base/json.hpp"
#include "heddle/base/text.hpp"
#include "heddle/config/load.hpp"
#include "heddle/config/presets.hpp"
#include "heddle/task/file/file_task.hpp"

namespace heddle {
namespace {

[[noreturn]] void refuse(std::string_view what, const Json& value, std::string_view accepted) {
  constexpr std::size_t kShown = 60;
  throw UsageError(fmt::format(
      "{} is {}; accepted is {}", what,
      quote(value.is_string() ? value.get<std::string>() : value.dump(), kShown), accepted));
}

/// JSON in which no name comes twice: the second would silently win.
Json parse_json(std::string_view text) {
  try {
    return Json::parse(text, {.unique_keys = true});
  } catch (const JsonParseError& error) {
    throw UsageError(fmt::format("it is not JSON: wrong at byte {}", error.byte));
  } catch (const JsonError& error) {
    throw UsageError(error.what());
  }
}

void check_keys(const Json& object, const std::string& what,
                const std::vector<std::string>& known) {
  if (!object.is_object()) refuse(what, object, "an object");
  for (const auto& [key, value] : object.items()) {
    if (std::ranges::find(known, key) != known.end()) continue;
    throw UsageError(fmt::format("{} has a field {}; accepted are {}{}", what, quote(key),
                                 join(known, ", "), did_you_mean(key, known)));
  }
}

std::string text_of(const Json& value, const std::string& what, std::string_view accepted) {
  if (!value.is_string() || value.get<std::string>().empty()) refuse(what, value, accepted);
  return value.get<std::string>();
}

/// A name, or several in a list.
std::vector<std::string> names_of(const Json& value, const std::string& what) {
  constexpr std::string_view kAccepted = "the name of a tensor or a list of names";
  if (!value.is_array()) return {text_of(value, what, kAccepted)};
  std::vector<std::string> names;
  for (const Json& each : value) names.push_back(text_of(each, what, kAccepted));
  return names;
}

// ── settings ──────────────────────────────────────────────────────────────────────────────────

/// As --set would take it.
std::string setting_text(const std::string& key, const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (!value.is_number())
    refuse(fmt::format("settings: {}", quote(key)), value, "a number, a text, true or false");
  return value.dump();
}

Config config_of(const Json& root) {
  check<UsageError>(root.contains("task"), R"(it names no task: accepted is "task": "addition")");
  const std::string name = text_of(root["task"], "task", "the name of a task");
  const auto task = task_named(name, "task");
  Config config = preset_of_task("default", name);
  if (root.contains("settings")) {
    if (!root["settings"].is_object()) refuse("settings", root["settings"], "an object");
    for (const auto& [key, value] : root["settings"].items())
      set(config, key, setting_text(key, value));
  }
  check<UsageError>(config.task.name == task, "settings: task.name={}, and the task is {}",
                    field_text(config.task.name), name);
  if (config.task.from_file()) read_shape(config);
  validate(config);
  return config;
}

// ── tensors ───────────────────────────────────────────────────────────────────────────────────

RowPart rows_of(const Json& value, const std::string& what) {
  constexpr std::string_view kAccepted = R"("q", "k", "v" or [first, last], counted from 0)";
  if (value.is_string()) {
    const auto third = std::string_view("qkv").find(value.get<std::string>());
    if (value.get<std::string>().size() != 1 || third == std::string_view::npos)
      refuse(what, value, kAccepted);
    return {.kind = RowPart::Kind::third, .first = static_cast<Index>(third)};
  }
  const auto is_row = [](const Json& row) {
    return row.is_number_unsigned() && std::in_range<Index>(row.get<std::uint64_t>());
  };
  const bool pair = value.is_array() && value.size() == 2 && is_row(value[0]) && is_row(value[1]);
  if (!pair || value[0].get<Index>() > value[1].get<Index>()) refuse(what, value, kAccepted);
  return {
      .kind = RowPart::Kind::range, .first = value[0].get<Index>(), .last = value[1].get<Index>()};
}

double scale_of(const Json& value, const std::string& what, const ModelConfig& model) {
  if (value == "sqrt(d_model)") return std::sqrt(static_cast<double>(model.d_model));
  if (!value.is_number() || !std::isfinite(value.get<double>()))
    refuse(what, value, "a number or \"sqrt(d_model)\"");
  return value.get<double>();
}

TensorSource source_of(const Json& value, const std::string& what, const ModelConfig& model) {
  if (value.is_string() && !value.get<std::string>().empty()) {
    if (value == "zeros") return {.fill = 0};
    if (value == "ones") return {.fill = 1};
    return {.from = value.get<std::string>()};
  }
  if (!value.is_object())
    refuse(what, value, R"({"from": "their tensor", …}, their tensor, "zeros" or "ones")");
  check_keys(value, what, {"from", "rows", "transpose", "scale"});
  check<UsageError>(value.contains("from"), "{} names no tensor under \"from\"", what);
  TensorSource source{.from = text_of(value["from"], what + ", from", "the name of a tensor")};
  if (value.contains("rows")) source.rows = rows_of(value["rows"], what + ", rows");
  if (value.contains("scale")) source.scale = scale_of(value["scale"], what + ", scale", model);
  if (value.contains("transpose")) {
    if (!value["transpose"].is_boolean())
      refuse(what + ", transpose", value["transpose"], "true or false");
    source.transpose = value["transpose"].get<bool>();
  }
  return source;
}

std::vector<TensorRule> rules_of(const Json& tensors, const ModelConfig& model) {
  if (!tensors.is_object()) refuse("tensors", tensors, "an object");
  std::vector<TensorRule> rules;
  for (const auto& [ours, value] : tensors.items())
    rules.push_back(
        {.ours = ours,
         .choices = {source_of(value, fmt::format("tensors: {}", quote(ours)), model)}});
  return rules;
}

// ── tokens ────────────────────────────────────────────────────────────────────────────────────

TheirIds ids_of(const Json& value, const std::string& what) {
  constexpr std::string_view kAccepted =
      "a list with their number for each of ours, null for one that they do not have";
  if (!value.is_array() || value.empty()) refuse(what, value, kAccepted);
  constexpr std::uint64_t kMost = 1U << 30U;
  TheirIds ids;
  for (const Json& each : value) {
    const bool number = each.is_number_unsigned() && each.get<std::uint64_t>() <= kMost;
    if (!each.is_null() && !number) refuse(what, each, kAccepted);
    ids.push_back(each.is_null() ? std::nullopt : std::optional(each.get<Index>()));
  }
  return ids;
}

void read_tokens(const Json& value, ImportMap& map) {
  if (!value.is_object()) {
    map.source_tokens = map.target_tokens = ids_of(value, "tokens");
    return;
  }
  check_keys(value, "tokens", {"source", "target"});
  if (value.contains("source")) map.source_tokens = ids_of(value["source"], "tokens, source");
  if (value.contains("target")) map.target_tokens = ids_of(value["target"], "tokens, target");
}

}  // namespace

ImportMap parse_import_map(std::string_view json_text) {
  const Json root = parse_json(json_text);
  check_keys(root, "the map",
             {"task", "settings", "layout", "prefix", "tensors", "tokens", "classes", "head",
              "sinusoids", "ignore"});
  ImportMap map;
  map.config = config_of(root);
  if (root.contains("layout"))
    map.layout = text_of(root["layout"], "layout", "the name of a shipped layout");
  if (root.contains("prefix")) {
    if (!root["prefix"].is_string()) refuse("prefix", root["prefix"], "text");
    map.prefix = root["prefix"].get<std::string>();
  }
  if (root.contains("tensors")) map.tensors = rules_of(root["tensors"], map.config.model);
  if (root.contains("tokens")) read_tokens(root["tokens"], map);
  if (root.contains("classes")) map.classes = ids_of(root["classes"], "classes");
  if (root.contains("head")) {
    map.head = names_of(root["head"], "head");
    check<UsageError>(map.head.size() == 1 || map.head.size() == 2,
                      "head names {} modules; accepted is one Linear, or two with a ReLU between",
                      map.head.size());
  }
  if (root.contains("sinusoids")) map.sinusoids = names_of(root["sinusoids"], "sinusoids");
  if (root.contains("ignore")) map.ignore = names_of(root["ignore"], "ignore");
  return map;
}

ImportMap load_import_map(const std::string& path) {
  constexpr std::uint64_t kMost = 16 << 20U;
  const std::string text = read_file(path, kMost);
  try {
    return parse_import_map(text);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", quote_path(path), error.what()));
  }
}

}  // namespace heddle
