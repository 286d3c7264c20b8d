// The script of the page: see page.hpp.
#include "heddle/report/document/page.hpp"
#include "heddle/report/web/script.hpp"

namespace heddle::report {
namespace {

/// Each widget finds its data in the element that follows it.
constexpr std::string_view kStart = R"js(
for (const [name, start] of Object.entries({attention, pruning, lengths, maps})) {
  const root = document.getElementById(name + "-widget"), data = document.getElementById(name + "-data");
  if (root && data) start(root, JSON.parse(data.textContent));
}
)js";

}  // namespace

std::string page_script() {
  std::string script = "\"use strict\";\n(() => {";
  for (const std::string_view part :
       {core_script(), chart_script(), map_script(), attention_script(), pruning_script(),
        lengths_script(), maps_script(), kStart})
    script += part;
  return script + "})();\n";
}

}  // namespace heddle::report
