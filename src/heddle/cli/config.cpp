// heddle config: every setting, its value, default and meaning.
#include "heddle/config/config.hpp"

#include "heddle/base/text.hpp"
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

/// Words in lines of at most `width` columns, each behind `margin`.
std::string wrapped(std::string_view text, std::size_t width, std::string_view margin) {
  std::string lines, line(margin);
  for (const std::string& word : split(text, ' ')) {
    if (line.size() > margin.size() && line.size() + 1 + word.size() > width) {
      lines += line + "\n";
      line = margin;
    }
    line.append(line.size() > margin.size() ? " " : "").append(word);
  }
  return lines + line + "\n";
}

/// A setting in a few lines: name, value and, where it is another, the default; what it means; what
/// it accepts.
std::string setting_text(const Setting& setting, std::size_t width) {
  constexpr std::string_view kMargin = "    ";
  std::string head = fmt::format("{} = {}", setting.name, setting.value);
  if (setting.value != setting.default_value)
    head += fmt::format("  (default {})",
                        setting.default_value.empty() ? "nothing" : setting.default_value);
  head.erase(head.find_last_not_of(' ') + 1);
  std::string text = wrapped(head, width, "") + wrapped(setting.help, width, kMargin);
  if (!setting.accepted.empty()) text += wrapped("accepted: " + setting.accepted, width, kMargin);
  return text;
}

std::string settings_text(const Config& config) {
  const std::size_t width = result_width();
  std::string text;
  for (const Setting& setting : settings(config)) text += setting_text(setting, width);
  text += "\nPresets\n";
  for (const Preset& preset : presets(config.task.name))
    text += wrapped(fmt::format("{}: {}", preset.name, preset.help), width, "  ");
  return text;
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
  static const std::string kTaskHelp =
      fmt::format("{}; addition when nothing is said", task_names());
  return {
      .name = "config",
      .summary = "Lists every setting: value, default, what is accepted, what it means.",
      .positionals = {{.name = "TASK", .help = kTaskHelp, .optional = true}},
      .flags = {kPresetFlag, kSetFlag},
      .examples = {"config", "config sortedness", "config --preset as-reported --set steps=500"},
      .run = run_config};
}

}  // namespace heddle::cli
