// Names as readers of reports expect them, and small questions that several figures ask.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heddle/base/head_name.hpp"
#include "heddle/record/addition_study.hpp"

namespace heddle::report {

/// A head's or an attention's name taken apart; one of no head for any other text.
inline HeadName parse_head(std::string_view name) {
  return parse_head_name(name).value_or(HeadName{});
}

/// "Encoder L0 H3", "Decoder L1 cross H0", "Decoder L1 self"; any other name stays as it is.
std::string label_of(std::string_view name);

/// "units", "tens", … of a column of the sum, counted from the right.
std::string column_name(std::int64_t column);

/// The middle value (mean of the two middle ones); NaN of nothing.
double median(std::vector<double> values);

/// The members of one recipe, in the order of the study.
std::vector<const MemberRecord*> members_of(const AdditionStudy& study, std::string_view recipe);
/// Recipe names in order of first appearance.
std::vector<std::string> recipes_of(const AdditionStudy& study);
/// The member that single-member figures show: the first sound one with pictures, else the first
/// sound one, else the first; null of an empty study.
const MemberRecord* member_to_show(const AdditionStudy& study);
/// "tuned, seed 1".
std::string name_of(const MemberRecord& member);

/// The effect of this head or module in the mode; null where it was not measured.
const Effect* find_effect(const std::vector<Effect>& effects, std::string_view what,
                          AblationMode mode);
/// The roles of a head, with commas between them; empty where it has none.
std::string role_of(const MemberRecord& member, std::string_view head);

}  // namespace heddle::report
