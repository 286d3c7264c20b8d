// See hit_rules.hpp; docs/roles.md has the measures in words.
#include "heddle/lens/addition/hit_rules.hpp"

#include <algorithm>

#include "heddle/base/index.hpp"
#include "heddle/lens/addition/columns.hpp"
#include "heddle/task/addition/carries.hpp"

namespace heddle {
namespace {

constexpr int kNoColumn = -1;

class Planner {
 public:
  Planner(const PatternModule& module, const TaskShape& shape)
      : module_(module), shape_(shape), digits_(digits_of(shape)) {}

  HitPlan plan() && {
    switch (module_.kind) {
      case AttentionKind::self:
        plan_neighbours();
        plan_operator();
        plan_own_column();
        plan_carry_column();
        break;
      case AttentionKind::causal_self:
        plan_neighbours();
        if (!shape_.start_counts())
          for (Index q = 0; q < module_.queries; ++q) add("bos", {.query = q, .keys = {0}});
        break;
      case AttentionKind::cross:
        plan_operator();
        plan_aligned_digits();
        plan_carry_column();
        break;
    }
    return std::move(plan_);
  }

 private:
  void add(std::string_view measure, HitRule rule) {
    if (module_.allowed(rule.query) < 2) return;
    const auto found = std::ranges::find(plan_.measures, measure);
    rule.measure = to_size(found - plan_.measures.begin());
    if (found == plan_.measures.end()) plan_.measures.emplace_back(measure);
    plan_.rules.push_back(std::move(rule));
  }

  Index place_of_a(int column) const { return digits_ - 1 - column; }
  Index place_of_b(int column) const { return 2 * Index{digits_} - column; }
  std::vector<Index> both_digits(int column) const {
    return {place_of_a(column), place_of_b(column)};
  }
  /// The column that a row works on: its own digit's in the encoder, in cross-attention that of the
  /// digit which is said there.
  int column_of(Index query) const {
    return static_cast<int>(module_.kind == AttentionKind::cross
                                ? shape_.decoded_column(query)
                                : shape_.input_columns[to_size(query)]);
  }

  void plan_neighbours() {
    for (Index q = 0; q < module_.queries; ++q) {
      add("self", {.query = q, .keys = {q}});
      if (q > 0) add("previous", {.query = q, .keys = {q - 1}});
    }
  }
  void plan_operator() {
    for (Index q = 0; q < module_.queries; ++q) add("operator", {.query = q, .keys = {digits_}});
  }
  /// Encoder: the other operand's digit of the same column, and both digits of it.
  void plan_own_column() {
    for (Index q = 0; q < module_.queries; ++q) {
      const int column = column_of(q);
      if (column == kNoColumn) continue;
      const Index other = q < digits_ ? place_of_b(column) : place_of_a(column);
      add("aligned", {.query = q, .keys = {other}});
      add("column", {.query = q, .keys = both_digits(column)});
    }
  }
  /// Cross: both digits of the column that is said; the top digit of the sum has none.
  void plan_aligned_digits() {
    for (Index q = 0; q < module_.queries; ++q) {
      const int column = column_of(q);
      if (column != kNoColumn && column < digits_)
        add("aligned", {.query = q, .keys = both_digits(column)});
    }
  }
  void plan_carry_column() {
    for (Index q = 0; q < module_.queries; ++q) {
      const int column = column_of(q);
      if (column < 1) continue;
      const auto below = [&](HitWhen when) {
        return HitRule{.query = q, .keys = both_digits(column - 1), .when = when, .column = column};
      };
      add("carry_column", below(HitWhen::always));
      add("carry_column | carry 1", below(HitWhen::carry));
      add("carry_column | carry 0", below(HitWhen::no_carry));
      add("carry_column | sum 9", below(HitWhen::nine));
      for (int decider = 0; decider < column - 1; ++decider)
        add("deciding_column | sum 9", {.query = q,
                                        .keys = both_digits(decider),
                                        .when = HitWhen::decided,
                                        .column = column,
                                        .decider = decider});
    }
  }

  const PatternModule& module_;
  const TaskShape& shape_;
  int digits_;
  HitPlan plan_;
};

}  // namespace

ColumnFacts column_facts(const Problem& problem) {
  constexpr int kNine = 9;
  const Carries carries = carries_of(problem);
  ColumnFacts facts;
  for (std::size_t c = 0; c < to_size(problem.digits); ++c) {
    facts.nine[c] = problem.a[c] + problem.b[c] == kNine;
    facts.carry_in[c + 1] = carries.out[c];
    facts.decider[c + 1] = facts.nine[c] ? facts.decider[c] : static_cast<int>(c);
  }
  return facts;
}

bool counts(const HitRule& rule, const ColumnFacts& facts) {
  const auto column = to_size(rule.column);
  switch (rule.when) {
    case HitWhen::always:
      return true;
    case HitWhen::carry:
      return facts.carry_in[column];
    case HitWhen::no_carry:
      return !facts.carry_in[column];
    case HitWhen::nine:
      return facts.nine[column - 1];
    case HitWhen::decided:
      return facts.nine[column - 1] && facts.decider[column] == rule.decider;
  }
  return false;
}

HitPlan plan_hits(const PatternModule& module, const TaskShape& shape) {
  return Planner(module, shape).plan();
}

}  // namespace heddle
