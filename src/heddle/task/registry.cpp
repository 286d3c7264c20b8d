// Which task a configuration means.
#include "heddle/task/example_task.hpp"
#include "heddle/task/file/file_task.hpp"
#include "heddle/task/rules/rule_task.hpp"

namespace heddle {

std::unique_ptr<ExampleTask> make_example_task(const Config& config, const ReadProgress& progress) {
  switch (config.task.name) {
    case TaskKind::reverse:
      return std::make_unique<RuleTask>(config, reverse_rule(config.task));
    case TaskKind::sort:
      return std::make_unique<RuleTask>(config, sort_rule(config.task));
    case TaskKind::modular:
      return std::make_unique<RuleTask>(config, modular_rule(config.task));
    case TaskKind::file:
      return std::make_unique<FileTask>(config, progress);
    case TaskKind::addition:
    case TaskKind::sortedness:
      break;
  }
  throw Error(fmt::format("{} has data of its own", field_text(config.task.name)));
}

}  // namespace heddle
