// What a study is asked to be: a preset, its numbers as they were set, and the recipe under study.
#pragma once

#include <string>

#include "heddle/config/config.hpp"
#include "heddle/study/plan_file.hpp"
#include "heddle/study/scale.hpp"

namespace heddle {

template <class Scale>
struct StudyPlan {
  StudyPreset preset = StudyPreset::quick;
  Scale scale = {};
  Config tuned = {};    ///< the recipe under study; its seed is the first one
  std::string command;  ///< as the results quote it
};

/// What STUDY/study.json says of it.
template <class Scale>
StudyIdentity identity_of(const StudyPlan<Scale>& plan, StudyKind kind) {
  return {
      .kind = kind, .preset = plan.preset, .scale = scale_numbers(plan.scale), .tuned = plan.tuned};
}

/// The plan of a study that stands in a folder.
template <class Scale>
StudyPlan<Scale> plan_of(const StudyIdentity& identity, const std::string& command) {
  StudyPlan<Scale> plan{.preset = identity.preset,
                        .scale = Scale::of(identity.preset),
                        .tuned = identity.tuned,
                        .command = command};
  for (const ScaleNumber& number : identity.scale)
    set_scale(plan.scale, number.name, field_text(number.value));
  return plan;
}

}  // namespace heddle
