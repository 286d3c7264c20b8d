// What the lists of fields are walked for: checks, hash, differences, help.
#include "heddle/config/config.hpp"

#include "heddle/base/hash.hpp"
#include "heddle/config/head_names.hpp"

namespace heddle {

std::string Config::defect_note() const {
  std::string defects;
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

void validate(const Config& config) {
  walk(config, [](const auto& field) { check_range(field); });
  const ModelConfig& model = config.model;
  check<UsageError>(model.d_model % model.heads == 0,
                    "model.d_model={} is not divisible by model.heads={}", model.d_model,
                    model.heads);
  check_heads(model);
  check<UsageError>(model.dropout == 0, "model.dropout={}: dropout is not supported yet, only 0 is",
                    field_text(model.dropout));
  check<UsageError>(config.train.min_lr <= config.train.lr,
                    "train.min_lr={} is above train.lr={}: accepted is at most train.lr",
                    field_text(config.train.min_lr), field_text(config.train.lr));
}

std::string config_hash(const Config& config) {
  Hash hash;
  walk(config, [&]<class T>(const Field<T>& field) {
    const std::string text = field_text(field.value);
    if (std::is_same_v<typename Field<T>::Value, std::string> && text.empty()) return;
    hash.add(field.path).add(text);
  });
  return hash.hex();
}

std::vector<Setting> settings(const Config& config) {
  std::vector<Setting> all;
  const Config defaults;
  walk(defaults, [&](const auto& field) {
    all.push_back({.name = field.path,
                   .value = "",
                   .default_value = field_text(field.value),
                   .accepted = field.accepted(),
                   .help = std::string(field.help)});
  });
  std::size_t at = 0;
  walk(config, [&](const auto& field) { all[at++].value = field_text(field.value); });
  return all;
}

std::vector<std::string> differences(const Config& a, const Config& b) {
  std::vector<std::string> differing;
  const std::vector<Setting> theirs = settings(b);
  std::size_t at = 0;
  walk(a, [&](const auto& field) {
    const std::string ours = field_text(field.value);
    const std::string& other = theirs[at++].value;
    if (ours != other)
      differing.push_back(fmt::format("{}={} against {}", field.path, ours, other));
  });
  return differing;
}

}  // namespace heddle
