// What the lists of fields are walked for: checks, hash, differences, help.
#include "heddle/config/config.hpp"

#include "heddle/base/hash.hpp"
#include "heddle/config/head_names.hpp"
#include "heddle/config/sequences.hpp"

namespace heddle {

namespace {

/// The reports' sortedness recipe, whatever encoding and pooling it is tried with.
std::string sortedness_defect(const Config& config) {
  const bool reports = config.task.source == DataSource::fixed && config.train.warmup == 0 &&
                       config.model.norm == NormKind::post;
  if (!reports) return "";
  return "reproduction of a report, on purpose: post-norm without warm-up, a fixed set with labels "
         "by the flip of a coin, negatives with many descents";
}

}  // namespace

FamilyKind Config::family() const {
  if (model.family != FamilyKind::by_task) return model.family;
  return classifies() ? FamilyKind::classifier : FamilyKind::encoder_decoder;
}

bool Config::classifies() const {
  const std::string name = field_text(task.name);
  const bool pairs = only_for(TaskConfig::kPairs).belongs_to(name),
             labels = only_for(TaskConfig::kLabels).belongs_to(name);
  return labels && (!pairs || task.form == FormKind::labels);
}

std::string Config::defect_note() const {
  if (task.name == TaskKind::sortedness) return sortedness_defect(*this);
  std::string defects;
  if (task.name != TaskKind::addition) return defects;
  if (task.bos == BosKind::none)
    defects +=
        "task.bos=none: the first digit is never learned, decoding starts from the digit 0 and "
        "counts it as output";
  if (task.pad == PadKind::zero)
    defects += fmt::format("{}task.pad=zero: the digit 0 bears no loss and is never learned",
                           defects.empty() ? "" : "; ");
  return defects.empty() ? "" : "reproduction of a defect, on purpose: " + defects;
}

bool operator==(const Config& a, const Config& b) {
  return differences(a, b).empty();
}

namespace {

/// A family answers with a sequence or with a label, and so does a task.
void check_family(const Config& config) {
  const FamilyKind fits =
      config.classifies() ? FamilyKind::classifier : FamilyKind::encoder_decoder;
  check<UsageError>(config.family() == fits,
                    "model.family={}: {} asks for a {}; accepted is {} or {}",
                    field_text(config.model.family), field_text(config.task.name),
                    config.classifies() ? "label" : "sequence", field_text(FamilyKind::by_task),
                    field_text(fits));
}

void check_pairs(const Config& config) {
  const ModelConfig& model = config.model;
  const bool adds = config.task.name == TaskKind::addition;
  check<UsageError>(model.position <= PositionKind::none || (adds && counts_digits(model.position)),
                    "model.position={}: {} accepts sinusoidal, learned, none{}",
                    field_text(model.position), field_text(config.task.name),
                    adds ? ", abacus or coupled" : "");
}

void check_sortedness(const Config& config) {
  const LengthRange lengths = parse_lengths(config.task.lengths);
  const ModelConfig& model = config.model;
  parse_kinds(config.task.kinds);
  check<UsageError>(
      model.position != PositionKind::learned || model.position_rows == 0 ||
          model.position_rows >= lengths.most,
      "model.position_rows={} is shorter than the training lengths (task.lengths={}): accepted is "
      "0 or at least {}",
      model.position_rows, config.task.lengths, lengths.most);
}

void check_labels(const Config& config) {
  const ModelConfig& model = config.model;
  const auto all = names_of(PositionKind{});
  check<UsageError>(!counts_digits(model.position), "model.position={}: {} accepts {}",
                    field_text(model.position), field_text(config.task.name),
                    accepted_names(std::span(all).first(to_size(PositionKind::abacus))));
  check<UsageError>(
      model.position != PositionKind::causal || model.direction == DirectionKind::both,
      "model.direction={}: position causal has its own, accepted is both",
      field_text(model.direction));
  check<UsageError>(model.position != PositionKind::rope || model.d_head() % 2 == 0,
                    "model.position=rope turns pairs of numbers: model.d_model={} / model.heads={} "
                    "is odd",
                    model.d_model, model.heads);
}

}  // namespace

void validate(const Config& config) {
  walk_settings(config, [](const auto& field) { check_range(field); });
  const ModelConfig& model = config.model;
  check<UsageError>(model.d_model % model.heads == 0,
                    "model.d_model={} is not divisible by model.heads={}", model.d_model,
                    model.heads);
  parse_lengths(config.task.lengths);  // tasks without lengths have the default
  check_family(config);
  check_heads(model, config.classifies());
  if (config.task.name == TaskKind::sortedness) check_sortedness(config);
  config.classifies() ? check_labels(config) : check_pairs(config);
  check<UsageError>(model.dropout == 0, "model.dropout={}: dropout is not supported yet, only 0 is",
                    field_text(model.dropout));
  check<UsageError>(config.train.min_lr <= config.train.lr,
                    "train.min_lr={} is above train.lr={}: accepted is at most train.lr",
                    field_text(config.train.min_lr), field_text(config.train.lr));
}

std::string config_hash(const Config& config) {
  Hash hash;
  walk_settings(config, [&]<class T>(const Field<T>& field) {
    const std::string text = field_text(field.value);
    if (text == field.range.when_missing) return;
    hash.add(field.path).add(text);
  });
  return hash.hex();
}

std::vector<Setting> settings(const Config& config) {
  std::vector<Setting> all;
  const Config defaults = default_config(config.task.name);
  walk_settings(defaults, [&](const auto& field) {
    all.push_back({.name = field.path,
                   .value = "",
                   .default_value = field_text(field.value),
                   .accepted = field.accepted(),
                   .help = std::string(field.help)});
  });
  std::size_t at = 0;
  walk_settings(config, [&](const auto& field) { all[at++].value = field_text(field.value); });
  return all;
}

std::vector<std::string> differences(const Config& a, const Config& b) {
  if (a.task.name != b.task.name)
    return {
        fmt::format("task.name={} against {}", field_text(a.task.name), field_text(b.task.name))};
  std::vector<std::string> differing;
  const std::vector<Setting> theirs = settings(b);
  std::size_t at = 0;
  walk_settings(a, [&](const auto& field) {
    const std::string ours = field_text(field.value);
    const std::string& other = theirs[at++].value;
    if (ours != other)
      differing.push_back(fmt::format("{}={} against {}", field.path, ours, other));
  });
  return differing;
}

}  // namespace heddle
