// See scale.hpp.
#include "heddle/study/scale.hpp"

#include <array>
#include <cmath>

#include "heddle/base/fields.hpp"
#include "heddle/base/text.hpp"

namespace heddle {
namespace {

constexpr std::array<std::string_view, 3> kPresets = {"quick", "standard", "full"};

StudyScale standard() {
  return {.seeds = 8,
          .reported = 3,
          .reported_zero = 2,
          .corrected = 3,
          .reported_steps = 7850,
          .test = 20000,
          .reference = 2000,
          .ablation = 2000,
          .donors = 8,
          .pairs = 500,
          .choose = 500,
          .score = 2000,
          .random_orders = 3,
          .free_heads = 20000,
          .fine_tune_steps = 200,
          .scratch_seeds = 1,
          .scratch_steps = 2000,
          .specialise = 2000,
          .patch_pairs = 200,
          .probe_train = 2000,
          .probe_test = 2000,
          .snapshots = 20,
          .snapshot_problems = 250,
          .census = 0};
}

StudyScale full() {
  StudyScale scale = standard();
  scale.seeds = 32;
  scale.reported = 16;
  scale.reported_zero = 8;
  scale.corrected = 24;
  scale.pairs = 1000;
  scale.scratch_seeds = 16;
  scale.random_orders = 5;
  scale.snapshot_problems = 500;
  scale.census = 1;
  return scale;
}

}  // namespace

std::span<const std::string_view> study_presets() {
  return kPresets;
}

StudyScale study_scale(std::string_view preset) {
  switch (parse_name("--preset", preset, kPresets)) {
    case 0:
      return {};
    case 1:
      return standard();
    default:
      return full();
  }
}

void set_scale(StudyScale& scale, std::string_view name, std::string_view text) {
  std::vector<std::string> names;
  bool known = false;
  StudyScale::fields(scale, [&](std::string_view field, std::int64_t& value) {
    names.emplace_back(field);
    if (field != name) return;
    const auto number = parse_int(text);
    check<UsageError>(number && *number >= 0, "study.{}={}: accepted is a whole number from 0 on",
                      name, quote(text));
    value = *number;
    known = true;
  });
  check<UsageError>(known, "there is no setting study.{}{}", name, did_you_mean(name, names));
}

std::vector<NamedValue> named_values(const StudyScale& scale) {
  std::vector<NamedValue> values;
  StudyScale::fields(scale, [&](std::string_view name, std::int64_t value) {
    values.push_back({std::string(name), static_cast<double>(value)});
  });
  return values;
}

std::vector<std::int64_t> log_spaced(std::int64_t last, std::int64_t count) {
  constexpr double kFirst = 10;
  std::vector<std::int64_t> steps;
  for (std::int64_t i = 0; i < count; ++i) {
    const double share = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 1;
    const auto step = static_cast<std::int64_t>(
        std::llround(kFirst * std::pow(static_cast<double>(last) / kFirst, share)));
    if (step >= 1 && step <= last && (steps.empty() || step > steps.back())) steps.push_back(step);
  }
  return steps;
}

}  // namespace heddle
