// Where the rows of a pattern may be asked to look: for each measure the keys that count as a hit.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "heddle/lens/specialise/patterns.hpp"
#include "heddle/task/addition/problem.hpp"

namespace heddle {

/// The facts about one problem's columns that decide which rows a measure counts.
struct ColumnFacts {
  std::array<bool, kMaxDigits + 1> carry_in{};  ///< the true carry into column c, up to the top
  std::array<bool, kMaxDigits> nine{};          ///< column c sums to 9, without its carry-in
  /// The column whose own digits decide the carry into c: the highest below c that does not sum to
  /// 9, or 0 if all do.
  std::array<int, kMaxDigits + 1> decider{};
};
ColumnFacts column_facts(const Problem& problem);

/// When a row counts.
enum class HitWhen : std::uint8_t {
  always,
  carry,     ///< a carry enters the row's column
  no_carry,  ///< none does
  nine,      ///< the column below it sums to 9
  decided    ///< the column below it sums to 9, and `decider` decides
};

/// One measure asked of one row: does it attend to one of these keys?
struct HitRule {
  std::size_t measure = 0;  ///< among the names of the plan
  Index query = 0;
  std::vector<Index> keys;  ///< allowed ones
  HitWhen when = HitWhen::always;
  int column = 0;   ///< of the row, for conditions
  int decider = 0;  ///< for HitWhen::decided
};
bool counts(const HitRule& rule, const ColumnFacts& facts);

/// All rules of one module. Rows that may attend to one key alone have no choice and are left out.
struct HitPlan {
  std::vector<std::string> measures;
  std::vector<HitRule> rules;
};
HitPlan plan_hits(const PatternModule& module, const TaskShape& shape);

}  // namespace heddle
