// heddle config: every setting, its value, default and meaning.
#include "heddle/config/config.hpp"

#include "heddle/cli/commands.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/config/load.hpp"
#include "heddle/config/presets.hpp"
#include "heddle/record/json.hpp"

namespace heddle::cli {
namespace {

/// A setting's value with its type: a number is a number. What files leave out is its text.
Json typed(const Json& config, const std::string& name, const std::string& text) {
  const std::size_t dot = name.find('.');
  const Json& group = dot == std::string::npos ? config : config.at(name.substr(0, dot));
  const Json* found = group.lookup(dot == std::string::npos ? name : name.substr(dot + 1));
  return found != nullptr ? *found : Json(text);
}

std::string settings_json(const Config& config) {
  const Json values = Json::parse(config_json(config)),
             defaults = Json::parse(config_json(default_config(config.task.name)));
  Json list = Json::array();
  for (const Setting& setting : settings(config))
    list.push_back({{"name", setting.name},
                    {"value", typed(values, setting.name, setting.value)},
                    {"default", typed(defaults, setting.name, setting.default_value)},
                    {"accepted", setting.accepted},
                    {"meaning", setting.help}});
  Json named = Json::array();
  for (const Preset& preset : presets(config.task.name))
    named.push_back({{"name", preset.name}, {"meaning", preset.help}});
  return json_line({{"settings", list},
                    {"presets", named},
                    {"hash", config_hash(config)},
                    {"defect", config.defect_note()}});
}

std::string settings_text(const Config& config) {
  Table table;
  table.add({"setting", "value", "default", "accepted", "meaning"});
  for (const Setting& setting : settings(config))
    table.add({setting.name, setting.value, setting.default_value, setting.accepted, setting.help});
  std::string text = table.text() + "\nPresets\n";
  Table named;
  for (const Preset& preset : presets(config.task.name))
    named.add({std::string(preset.name), std::string(preset.help)});
  return text + named.text();
}

int run_config(const Arguments& arguments, Console& console) {
  const std::string& task = arguments.positional(0);
  const Config config = configured(arguments, task.empty() ? "addition" : task);
  validate(config);
  label_defect(config, console);
  console.result(arguments.json() ? settings_json(config) : settings_text(config));
  return 0;
}

}  // namespace

Command config_command() {
  return {
      .name = "config",
      .summary = "Lists every setting: value, default, what is accepted, what it means.",
      .positionals =
          {{.name = "TASK",
            .help = "addition (when nothing is said), sortedness, reverse, sort, modular or file",
            .optional = true}},
      .flags = {kPresetFlag, kSetFlag},
      .examples = {"config", "config sortedness", "config --preset as-reported --set steps=500"},
      .run = run_config};
}

}  // namespace heddle::cli
