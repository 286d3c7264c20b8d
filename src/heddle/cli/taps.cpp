// heddle taps: the names of everything that can be watched or edited.
#include "heddle/cli/commands.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/lens/capture.hpp"
#include "heddle/record/json.hpp"

namespace heddle::cli {
namespace {

std::string_view kind_of(const CaptureArray& array) {
  if (array.is_weight) return "weight";
  return array.head >= 0 ? "head" : "activation";
}

/// "batch, position 7, head 4, feature 32".
std::string axes_text(const CaptureArray& array) {
  std::string text;
  for (std::size_t i = 0; i < array.axes.size(); ++i) {
    text += fmt::format("{}{}", i > 0 ? ", " : "", name_of(array.axes[i]));
    if (array.axes[i] != Axis::batch) text += fmt::format("={}", array.shape[static_cast<int>(i)]);
  }
  return fmt::format("[{}]", text);
}

Json axes_json(const CaptureArray& array) {
  Json axes = Json::array(), shape = Json::array();
  for (std::size_t i = 0; i < array.axes.size(); ++i) {
    axes.push_back(name_of(array.axes[i]));
    shape.push_back(array.axes[i] == Axis::batch ? Json() : Json(array.shape[static_cast<int>(i)]));
  }
  return {{"name", array.name}, {"kind", kind_of(array)}, {"axes", axes}, {"shape", shape}};
}

int run_taps(const Arguments& arguments, Console& console) {
  const std::string& run = run_folder(arguments);
  const Config config = load_config(run);
  const std::string pattern = arguments.positional(1).empty() ? "**" : arguments.positional(1);
  // Names do not depend on the weights.
  const auto arrays = list_arrays(make_member(config), pattern);
  if (arguments.json()) {
    Json taps = Json::array();
    for (const CaptureArray& array : arrays) taps.push_back(axes_json(array));
    console.result(json_line({{"run", run}, {"taps", taps}}));
    return 0;
  }
  Table table;
  for (const CaptureArray& array : arrays)
    table.add({array.name, std::string(kind_of(array)), axes_text(array)});
  console.result(table.text());
  return 0;
}

}  // namespace

Command taps_command() {
  return {.name = "taps",
          .summary = "Lists the taps of a member: name, kind, axes with their extents.",
          .positionals = {{.name = "RUN", .help = "the folder that train wrote"},
                          {.name = "PATTERN",
                           .help = "which: * stands for anything within one part of a name, ** for "
                                   "anything at all",
                           .optional = true}},
          .flags = {},
          .examples = {"taps run", "taps run \"encoder.0.**\"", "taps run \"**.head.3.pattern\""},
          .run = run_taps};
}

}  // namespace heddle::cli
