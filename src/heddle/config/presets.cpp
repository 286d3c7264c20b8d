// Named configurations. Each is written out, so that tuning one leaves the others alone.
#include "heddle/config/presets.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "heddle/base/text.hpp"

namespace heddle {

namespace {

constexpr std::string_view kFilePrefix = "file:";

/// The reports' recipe with the defect that explains their greedy accuracy.
Config as_reported() {
  Config config;
  config.task = {.name = TaskKind::addition,
                 .digits = 3,
                 .order = DigitOrder::most,
                 .source = DataSource::fixed,
                 .carry_balance = 0,
                 .carry_fade = 0,
                 .bos = BosKind::none,
                 .pad = PadKind::token};
  config.model.norm = NormKind::post;
  config.train = {.batch = 64,
                  .steps = 7850,
                  .lr = 5e-4,
                  .warmup = 0,
                  .schedule = ScheduleKind::constant,
                  .min_lr = 0,
                  .clip = 1,
                  .weight_decay = 0,
                  .ema = 0,
                  .optimizer = OptimizerKind::adam,
                  .beta1 = 0.9,
                  .beta2 = 0.98,
                  .epsilon = 1e-8,
                  .eval_every = 785};
  return config;
}

/// The reports' sortedness recipe: deep post-norm without warm-up at a high rate, which does not
/// leave the plateau of the labels' entropy.
Config sortedness_as_reported() {
  Config config = default_config(TaskKind::sortedness);
  config.task.source = DataSource::fixed;
  config.task.values = ValueKind::uniform;
  config.task.kinds = "swaps";
  config.model.d_model = 128;
  config.model.d_ff = 512;
  config.model.layers = 4;
  config.model.norm = NormKind::post;
  config.model.position = PositionKind::sinusoidal;
  config.model.position_past_end = PastEndKind::untrained;
  config.model.direction = DirectionKind::both;
  config.model.pooling = PoolingSetting::mean;
  config.train = {.batch = 64,
                  .steps = 3140,
                  .lr = 1e-3,
                  .warmup = 0,
                  .schedule = ScheduleKind::constant,
                  .min_lr = 0,
                  .clip = 1,
                  .weight_decay = 0,
                  .ema = 0,
                  .optimizer = OptimizerKind::adam,
                  .beta1 = 0.9,
                  .beta2 = 0.999,
                  .epsilon = 1e-8,
                  .eval_every = 157};
  return config;
}

/// One head of 16 numbers; see model/classifier/hand_built.hpp.
Config hand_built() {
  Config config = default_config(TaskKind::sortedness);
  config.model = {.d_model = 16,
                  .d_ff = 1,
                  .heads = 1,
                  .layers = 2,
                  .position = PositionKind::causal,
                  .position_past_end = PastEndKind::clamp,
                  .direction = DirectionKind::both,
                  .pooling = PoolingSetting::cls};
  config.train.steps = 1;  // none is taken, but 0 is no setting
  config.train.warmup = 0;
  config.train.eval_every = 0;
  return config;
}

constexpr std::array kAddition{
    Preset{.name = "default",
           .help = "the tuned recipe",
           .make = [] { return default_config(TaskKind::addition); }},
    Preset{.name = "as-reported",
           .help =
               "the reports' recipe, a reproduction of their defect: no BOS, the first digit is "
               "never learned (task.pad=zero adds the second one)",
           .make = as_reported}};

constexpr std::array kSortedness{
    Preset{.name = "default",
           .help = "the tuned recipe",
           .make = [] { return default_config(TaskKind::sortedness); }},
    Preset{.name = "as-reported",
           .help =
               "the reports' recipe, a reproduction of their defect: post-norm without warm-up, "
               "which stays on the plateau",
           .make = sortedness_as_reported},
    Preset{.name = kHandBuilt,
           .help = "weights written by hand, which are right at any length: nothing is trained, no "
                   "setting can be changed",
           .make = hand_built}};

/// A task with no recipe but its own.
template <TaskKind Task>
constexpr std::array kLone{Preset{
    .name = "default", .help = "the tuned recipe", .make = [] { return default_config(Task); }}};

/// The classifier that a task gets when nothing is said: what extrapolates best.
ModelConfig default_classifier_model() {
  return {.d_model = 64,
          .d_ff = 256,
          .layers = 2,
          .position = PositionKind::alibi,
          .position_past_end = PastEndKind::clamp,
          .direction = DirectionKind::split,
          .pooling = PoolingSetting::token_max};
}

std::vector<std::string> names_in(std::span<const Preset> known) {
  std::vector<std::string> names;
  names.reserve(known.size());
  for (const Preset& each : known) names.emplace_back(each.name);
  return names;
}

const Preset* find_preset(std::string_view name, TaskKind task) {
  const auto known = presets(task);
  const auto found = std::ranges::find(known, name, &Preset::name);
  return found == known.end() ? nullptr : &*found;
}

}  // namespace

std::span<const Preset> presets(TaskKind task) {
  switch (task) {
    case TaskKind::addition:
      return kAddition;
    case TaskKind::sortedness:
      return kSortedness;
    case TaskKind::reverse:
      return kLone<TaskKind::reverse>;
    case TaskKind::sort:
      return kLone<TaskKind::sort>;
    case TaskKind::modular:
      return kLone<TaskKind::modular>;
    case TaskKind::file:
      break;
  }
  return kLone<TaskKind::file>;
}

Config default_config(TaskKind task) {
  Config config;
  config.task.name = task;
  switch (task) {
    case TaskKind::addition:
      break;
    case TaskKind::sortedness:
      config.model = default_classifier_model();
      config.train.batch = 64;
      config.train.steps = 10000;
      config.train.warmup = 300;
      config.train.eval_every = 500;
      break;
    case TaskKind::reverse:
      config.task.lengths = "4-12";
      config.model.d_model = 64;
      config.model.d_ff = 256;
      config.train.steps = 1500;
      config.train.eval_every = 250;
      break;
    case TaskKind::sort:
      config.task.lengths = "4-12";
      config.task.symbols = 100;
      config.model.d_model = 64;
      config.model.d_ff = 256;
      config.train.steps = 3000;
      config.train.lr = 2e-3;
      config.train.eval_every = 500;
      break;
    case TaskKind::modular:
      config.task.modulus = 59;
      config.task.train_share = 0.7;
      config.model.layers = 1;
      config.model.position = PositionKind::none;
      config.train.batch = 256;
      config.train.steps = 4000;
      config.train.lr = 3e-3;
      config.train.weight_decay = 1;
      break;
    case TaskKind::file:
      break;
  }
  return config;
}

Config preset(std::string_view name, TaskKind task) {
  if (const Preset* found = find_preset(name, task)) return found->make();
  const std::vector<std::string> names = names_in(presets(task));
  for (const TaskKind other : {TaskKind::addition, TaskKind::sortedness})
    check<UsageError>(find_preset(name, other) == nullptr, "preset {} belongs to {}: {} accepts {}",
                      quote(name), field_text(other), field_text(task), join(names, " or "));
  throw UsageError(fmt::format("unknown preset {}: accepted is {}{}", quote(name),
                               join(names, " or "), did_you_mean(name, names)));
}

TaskKind task_named(const std::string& name, const std::string& setting) {
  if (name.starts_with(kFilePrefix)) return TaskKind::file;
  // "pairs.csv": a file of examples, whose task begins with "file:".
  check<UsageError>(!example_file(name), "{}={}: there is no such task (did you mean {}?)", setting,
                    quote(name), quote(std::string(kFilePrefix) + name));
  return parse_kind<TaskKind>(setting, name);
}

Config preset_of_task(std::string_view preset, const std::string& task) {
  Config config = heddle::preset(preset, task_named(task));
  if (task.starts_with(kFilePrefix)) config.task.path = task.substr(kFilePrefix.size());
  return config;
}

}  // namespace heddle
