// See registry.hpp. One line per task.
#include "heddle/task/registry.hpp"

#include <algorithm>
#include <array>

#include "heddle/base/check.hpp"
#include "heddle/task/addition/addition.hpp"
#include "heddle/task/addition/words.hpp"
#include "heddle/task/file/file_task.hpp"
#include "heddle/task/rules/rule_task.hpp"
#include "heddle/task/sortedness/sortedness.hpp"

namespace heddle {
namespace {

using Made = std::unique_ptr<Task>;

struct TaskEntry {
  TaskKind kind;
  TaskShape (*shape)(const TaskConfig& task);
  Made (*make)(const Config& config, const TaskOptions& options);
};

template <class T>
Made made(const Config& config, const TaskOptions& /*options*/) {
  return std::make_unique<T>(config);
}

template <Rule (*rule)(const TaskConfig&)>
Made made_of_rule(const Config& config, const TaskOptions& /*options*/) {
  return std::make_unique<RuleTask>(config, rule(config.task));
}

Made made_of_file(const Config& config, const TaskOptions& options) {
  if (options.lexicon) return std::make_unique<FileTask>(config, *options.lexicon);
  return std::make_unique<FileTask>(config, options.progress);
}

constexpr std::array kTasks{
    TaskEntry{TaskKind::addition, addition_shape, made<Addition>},
    TaskEntry{TaskKind::sortedness, sortedness_shape, made<Sortedness>},
    TaskEntry{TaskKind::reverse, word_list_shape, made_of_rule<reverse_rule>},
    TaskEntry{TaskKind::sort, word_list_shape, made_of_rule<sort_rule>},
    TaskEntry{TaskKind::modular, modular_shape, made_of_rule<modular_rule>},
    TaskEntry{TaskKind::file, file_shape, made_of_file},
};

const TaskEntry& entry_of(const TaskConfig& task) {
  const auto* found = std::ranges::find(kTasks, task.name, &TaskEntry::kind);
  check(found != kTasks.end(), "the task {} is not in the registry", field_text(task.name));
  return *found;
}

}  // namespace

TaskShape shape_of(const TaskConfig& task) {
  return entry_of(task).shape(task);
}

std::unique_ptr<Task> make_task(const Config& config, const TaskOptions& options) {
  return entry_of(config.task).make(config, options);
}

}  // namespace heddle
