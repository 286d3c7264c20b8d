// What heads attend to, on members whose heads look where they were told.
#include <cmath>

#include <gtest/gtest.h>

#include "heddle/base/index.hpp"
#include "heddle/lens/addition/column_roles.hpp"
#include "heddle/lens/specialise/row_shape.hpp"
#include "heddle/record/tree.hpp"
#include "tests/support/planted_heads.hpp"
#include "tests/support/print_json.hpp"
#include "tests/support/tiny_model.hpp"

namespace heddle::testing {
namespace {

constexpr double kClose = 1e-6;

/// −1 where the head has no such measure.
double value_of(const Specialisation& found, const std::string& head, const std::string& measure) {
  for (const HeadMeasure& here : found.measures)
    if (here.head == head && here.measure == measure) return here.value;
  return -1;
}

std::string role_of(const Specialisation& found, const std::string& head) {
  for (const HeadRole& here : found.roles)
    if (here.head == head) return here.role;
  return "";
}

Specialisation look(const Member& member, const std::vector<Problem>& problems) {
  Team team(1);
  return specialise_columns(member, problems, team);
}

std::vector<Config> several_recipes() {
  std::vector<Config> configs(5, planted_config());
  configs[1].task.order = DigitOrder::least;
  configs[2].task.bos = BosKind::none;
  configs[2].task.pad = PadKind::zero;
  configs[3].task.bos = BosKind::none;
  configs[3].task.order = DigitOrder::least;
  configs[4].task.digits = 1;
  return configs;
}

TEST(RowShape, KnownRows) {
  const std::vector<float> uniform(5, 0.2F), one{0, 0, 1, 0}, half{0.5F, 0, 0.5F, 0};
  EXPECT_NEAR(normalised_entropy(uniform), 1, kClose);
  EXPECT_NEAR(gini(uniform), 0, kClose);
  EXPECT_NEAR(hoyer(uniform), 0, kClose);
  EXPECT_NEAR(normalised_entropy(one), 0, kClose);
  EXPECT_NEAR(gini(one), 1, kClose);
  EXPECT_NEAR(hoyer(one), 1, kClose);
  EXPECT_NEAR(row_entropy(half), std::log(2), kClose);
  EXPECT_NEAR(normalised_entropy(half), 0.5, kClose);
  EXPECT_NEAR(gini(half), 2.0 / 3, kClose);            // (1·½ + 3·½) / 3
  EXPECT_NEAR(hoyer(half), 2 - std::sqrt(2), kClose);  // (2 − √2) / (2 − 1)
}

/// A head that looks at nothing in particular has, in every measure, the value beside it.
TEST(Specialise, UniformHeadsHaveTheUniformValue) {
  for (const Config& config : several_recipes()) {
    const auto problems = some_problems(static_cast<int>(config.task.digits), 60);
    const Specialisation found = look(uniform_member(config), problems);
    EXPECT_EQ(found.problems, 60);
    EXPECT_EQ(found.roles.size(), 24U);
    EXPECT_GT(found.measures.size(), 24U * 5U);
    for (const HeadMeasure& measure : found.measures)
      EXPECT_NEAR(measure.value, measure.uniform, kClose) << measure.head << measure.measure;
    for (const HeadMeasure& measure : found.as_reported)
      EXPECT_NEAR(measure.value, measure.uniform, 1e-5) << measure.head << measure.measure;
    for (const HeadRole& role : found.roles) EXPECT_EQ(role.role, "broad") << role.head;
  }
}

TEST(Specialise, UniformValuesAreTheOnesExpected) {
  const Specialisation found = look(uniform_member(planted_config()), some_problems(3, 300));
  const auto expect = [&](const std::string& head, const std::string& measure, double value) {
    EXPECT_NEAR(value_of(found, head, measure), value, kClose) << head << " " << measure;
  };
  for (const char* measure : {"self", "previous", "operator", "aligned"})
    expect("encoder.1.self.head.2", measure, 1.0 / 7);
  for (const char* measure : {"column", "carry_column", "carry_column | carry 1",
                              "carry_column | sum 9", "deciding_column | sum 9"})
    expect("encoder.0.self.head.0", measure, 2.0 / 7);
  for (const char* measure : {"aligned", "carry_column", "carry_column | carry 0"})
    expect("decoder.0.cross.head.3", measure, 2.0 / 7);
  expect("decoder.1.cross.head.0", "operator", 1.0 / 7);
  // Rows of 2, 3, 4 and 5 allowed keys; the row with one has no choice.
  const double causal = (1.0 / 2 + 1.0 / 3 + 1.0 / 4 + 1.0 / 5) / 4;
  for (const char* measure : {"self", "previous", "bos"})
    expect("decoder.1.self.head.1", measure, causal);
}

TEST(Specialise, MeasuresThatDoNotExistAreLeftOut) {
  const Specialisation found = look(uniform_member(planted_config()), some_problems(3, 20));
  EXPECT_EQ(value_of(found, "decoder.0.self.head.0", "operator"), -1);
  EXPECT_EQ(value_of(found, "decoder.0.self.head.0", "aligned"), -1);
  EXPECT_EQ(value_of(found, "decoder.0.cross.head.0", "self"), -1);
  EXPECT_EQ(value_of(found, "encoder.0.self.head.0", "bos"), -1);
  Config config = planted_config();
  config.task.bos = BosKind::none;
  EXPECT_EQ(
      value_of(look(uniform_member(config), some_problems(3, 20)), "decoder.0.self.head.0", "bos"),
      -1);
  const Specialisation one = look(uniform_member(planted_config()), {make_problem(111, 111, 3)});
  EXPECT_NEAR(value_of(one, "encoder.0.self.head.0", "carry_column | carry 0"), 2.0 / 7, kClose);
  EXPECT_EQ(value_of(one, "encoder.0.self.head.0", "carry_column | carry 1"), -1);
  EXPECT_EQ(value_of(one, "encoder.0.self.head.0", "carry_column | sum 9"), -1);
}

TEST(Specialise, NoProblemsAreRefused) {
  EXPECT_THROW(look(uniform_member(planted_config()), {}), UsageError);
}

// Source: a2 a1 a0 + b2 b1 b0 at 0 … 6.
std::vector<Index> other_digit(Index q) {
  return q == 3 ? std::vector<Index>{} : std::vector<Index>{q < 3 ? q + 4 : q - 4};
}
std::vector<Index> lower_column(Index q) {
  if (q == 2 || q == 3 || q >= 6) return {};
  return {q % 4 + 1, q % 4 + 5};
}

TEST(Specialise, PlantedEncoderHeadsGetTheirRoles) {
  Member member = uniform_member(planted_config());
  plant(member, "encoder.0.self", 0, [](Index) { return std::vector<Index>{3}; });
  plant(member, "encoder.0.self", 1, [](Index q) { return std::vector<Index>{q}; });
  plant(member, "encoder.0.self", 2, [](Index q) { return std::vector<Index>{q > 0 ? q - 1 : 0}; });
  plant(member, "encoder.0.self", 3, other_digit);
  plant(member, "encoder.1.self", 0, lower_column);
  plant(member, "encoder.1.self", 1, [](Index q) {
    std::vector<Index> keys = other_digit(q);
    keys.push_back(q);
    return keys;
  });
  plant(member, "encoder.1.self", 2, [](Index) { return std::vector<Index>{0}; });  // no name
  member.weights.pack();
  const Specialisation found = look(member, some_problems(3, 40));
  const std::vector<std::array<std::string, 3>> wanted{
      {"encoder.0.self.head.0", "operator", "operator"},
      {"encoder.0.self.head.1", "self", "self"},
      {"encoder.0.self.head.2", "previous", "previous"},
      {"encoder.0.self.head.3", "aligned", "aligned"},
      {"encoder.1.self.head.0", "carry", "carry_column"},
      {"encoder.1.self.head.1", "column", "column"}};
  for (const auto& [head, role, measure] : wanted) {
    EXPECT_EQ(role_of(found, head), role);
    EXPECT_NEAR(value_of(found, head, measure), 1, kClose) << head;
  }
  EXPECT_NEAR(value_of(found, "encoder.1.self.head.1", "self"), 4.0 / 7, kClose);  // '+' its own
  EXPECT_NEAR(value_of(found, "encoder.1.self.head.1", "aligned"), 0.5, kClose);
  EXPECT_EQ(role_of(found, "encoder.1.self.head.2"), "sharp");
  EXPECT_EQ(role_of(found, "encoder.1.self.head.3"), "broad");
  EXPECT_NEAR(value_of(found, "encoder.0.self.head.0", "entropy"), 0, kClose);
  EXPECT_NEAR(value_of(found, "encoder.0.self.head.0", "gini"), 1, kClose);
}

TEST(Specialise, PlantedDecoderHeadsGetTheirRoles) {
  Member member = uniform_member(planted_config());
  plant(member, "decoder.0.self", 0, [](Index) { return std::vector<Index>{0}; });
  plant(member, "decoder.0.self", 1, [](Index q) { return std::vector<Index>{q}; });
  plant(member, "decoder.0.self", 2, [](Index q) { return std::vector<Index>{q > 0 ? q - 1 : 0}; });
  plant(member, "decoder.1.cross", 0, [](Index) { return std::vector<Index>{3}; });
  member.weights.pack();
  const Specialisation found = look(member, some_problems(3, 40));
  EXPECT_EQ(role_of(found, "decoder.0.self.head.0"), "bos");
  EXPECT_EQ(role_of(found, "decoder.0.self.head.1"), "self");
  EXPECT_EQ(role_of(found, "decoder.0.self.head.2"), "previous");
  EXPECT_EQ(role_of(found, "decoder.0.self.head.3"), "broad");
  EXPECT_EQ(role_of(found, "decoder.1.cross.head.0"), "operator");
  // The second row's previous position is BOS.
  EXPECT_NEAR(value_of(found, "decoder.0.self.head.2", "bos"), 0.25, kClose);
}

/// The columns that cross-attention rows say, written down for every recipe.
TEST(Specialise, PlantedCrossHeadsFollowTheOutputOrder) {
  const std::vector<std::vector<int>> columns{
      {3, 2, 1, 0, -1}, {0, 1, 2, 3, -1}, {2, 1, 0}, {1, 2, 3}};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    Member member = uniform_member(several_recipes()[i]);
    const auto keys_below = [&](int less) {
      return [&said = columns[i], less](Index q) -> std::vector<Index> {
        if (q >= std::ssize(said)) return {};
        const int column = said[to_size(q)] - less;
        if (column < 0 || column > 2) return {};
        return {2 - column, 6 - column};
      };
    };
    plant(member, "decoder.0.cross", 1, keys_below(0));
    plant(member, "decoder.1.cross", 2, keys_below(1));
    member.weights.pack();
    const Specialisation found = look(member, some_problems(3, 40));
    EXPECT_EQ(role_of(found, "decoder.0.cross.head.1"), "aligned") << i;
    EXPECT_NEAR(value_of(found, "decoder.0.cross.head.1", "aligned"), 1, kClose) << i;
    EXPECT_EQ(role_of(found, "decoder.1.cross.head.2"), "carry") << i;
    EXPECT_NEAR(value_of(found, "decoder.1.cross.head.2", "carry_column"), 1, kClose) << i;
  }
}

/// 127+358: a carry enters the tens alone. 347+258: it enters the tens, passes them (they sum to 9)
/// and enters the hundreds, which the units decided.
TEST(Specialise, ConditionsFollowTheTrueCarries) {
  Member member = uniform_member(planted_config());  // rows say thousands, hundreds, tens, units
  const auto units_from = [](Index row) {
    return [row](Index q) { return q == row ? std::vector<Index>{2, 6} : std::vector<Index>{3}; };
  };
  plant(member, "decoder.0.cross", 0, units_from(2));
  plant(member, "decoder.0.cross", 1, units_from(1));
  member.weights.pack();
  const std::string tens = "decoder.0.cross.head.0", hundreds = "decoder.0.cross.head.1";
  const Specialisation one = look(member, {make_problem(127, 358, 3)});
  EXPECT_NEAR(value_of(one, tens, "carry_column"), 1.0 / 3, kClose);
  EXPECT_NEAR(value_of(one, tens, "carry_column | carry 1"), 1, kClose);
  EXPECT_NEAR(value_of(one, tens, "carry_column | carry 0"), 0, kClose);
  const Specialisation two = look(member, {make_problem(347, 258, 3)});
  EXPECT_NEAR(value_of(two, tens, "carry_column | carry 1"), 0.5, kClose);
  EXPECT_NEAR(value_of(two, tens, "carry_column | sum 9"), 0, kClose);
  EXPECT_NEAR(value_of(two, hundreds, "carry_column"), 0, kClose);
  EXPECT_NEAR(value_of(two, hundreds, "deciding_column | sum 9"), 1, kClose);
  EXPECT_NEAR(value_of(two, tens, "deciding_column | sum 9"), 0, kClose);
}

double reported(const Specialisation& found, const std::string& head, const std::string& name) {
  for (const HeadMeasure& here : found.as_reported)
    if (here.head == head && here.measure == name) return here.value;
  return -1;
}

TEST(Specialise, ReportedDefinitionsOnPlantedHeads) {
  Member member = uniform_member(planted_config());
  plant(member, "encoder.0.self", 0, [](Index q) { return std::vector<Index>{q}; });
  plant(member, "encoder.0.self", 1, [](Index q) {  // to the right, but not to or from '+'
    return std::vector<Index>{q == 2 || q == 3 || q > 5 ? 0 : q + 1};
  });
  plant(member, "encoder.0.self", 2, [](Index) { return std::vector<Index>{0, 3}; });
  member.weights.pack();
  const Specialisation found = look(member, some_problems(3, 10));
  EXPECT_EQ(found.as_reported.size(), 8U * 4U);  // encoder heads
  EXPECT_NEAR(reported(found, "encoder.0.self.head.0", "diagonal"), 1, kClose);
  EXPECT_NEAR(reported(found, "encoder.0.self.head.0", "carry"), 0, kClose);
  EXPECT_NEAR(reported(found, "encoder.0.self.head.0", "sparsity"), 1.0 / 7, kClose);
  EXPECT_NEAR(reported(found, "encoder.0.self.head.1", "carry"), 1, kClose);
  EXPECT_NEAR(reported(found, "encoder.0.self.head.1", "entropy"), 0, kClose);
  EXPECT_NEAR(reported(found, "encoder.0.self.head.2", "entropy"), 7 * std::log(2), 1e-5);
  EXPECT_NEAR(reported(found, "encoder.0.self.head.2", "sparsity"), 2.0 / 7, kClose);
  EXPECT_NEAR(reported(found, "encoder.0.self.head.3", "entropy"), 7 * std::log(7), 1e-5);
}

TEST(Specialise, SameBitsForAnyTeam) {
  Config config = planted_config();
  Member member = make_member(config);
  perturb(member.weights);
  member.weights.pack();
  const auto problems = some_problems(3, 700);
  Team one(1);
  const Json alone = to_tree(specialise_columns(member, problems, one));
  for (const int threads : {2, 3}) {
    Team team(threads);
    EXPECT_EQ(to_tree(specialise_columns(member, problems, team)), alone) << threads;
  }
}

}  // namespace
}  // namespace heddle::testing
