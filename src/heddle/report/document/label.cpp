// See label.hpp.
#include "heddle/report/document/label.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "heddle/base/index.hpp"
#include "heddle/base/text.hpp"

namespace heddle::report {

std::string label_of(std::string_view name) {
  const std::optional<HeadName> head = parse_head_name(name);
  if (!head) return std::string(name);
  std::string label = fmt::format("{} L{}", head->decoder ? "Decoder" : "Encoder", head->layer);
  if (head->decoder) label += fmt::format(" {}", head->attention());
  if (head->is_head()) label += fmt::format(" H{}", head->number);
  return label;
}

std::string column_name(std::int64_t column) {
  constexpr std::array<std::string_view, 6> kNames{
      "units", "tens", "hundreds", "thousands", "ten thousands", "hundred thousands"};
  return column >= 0 && column < static_cast<std::int64_t>(kNames.size())
             ? std::string(kNames[to_size(column)])
             : fmt::format("column {}", column);
}

double median(std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::vector<const MemberRecord*> members_of(const AdditionStudy& study, std::string_view recipe) {
  std::vector<const MemberRecord*> found;
  for (const MemberRecord& member : study.members)
    if (member.recipe == recipe) found.push_back(&member);
  return found;
}

std::vector<std::string> recipes_of(const AdditionStudy& study) {
  std::vector<std::string> names;
  for (const MemberRecord& member : study.members)
    if (std::ranges::find(names, member.recipe) == names.end()) names.push_back(member.recipe);
  return names;
}

const MemberRecord* member_to_show(const AdditionStudy& study) {
  const MemberRecord* best = nullptr;
  const auto worth = [](const MemberRecord& member) {
    return (member.defect.empty() ? 2 : 0) + (member.pictures.empty() ? 0 : 1);
  };
  for (const MemberRecord& member : study.members)
    if (best == nullptr || worth(member) > worth(*best)) best = &member;
  return best;
}

std::string name_of(const MemberRecord& member) {
  return fmt::format("{}, seed {}", member.recipe, member.seed);
}

const Effect* find_effect(const std::vector<Effect>& effects, std::string_view what,
                          AblationMode mode) {
  const auto found = std::ranges::find_if(
      effects, [&](const Effect& effect) { return effect.what == what && effect.mode == mode; });
  return found == effects.end() ? nullptr : &*found;
}

std::string role_of(const MemberRecord& member, std::string_view head) {
  std::vector<std::string> roles;
  for (const HeadRole& role : member.specialisation.roles)
    if (role.head == head) roles.push_back(role.role);
  return join(roles, ", ");
}

}  // namespace heddle::report
