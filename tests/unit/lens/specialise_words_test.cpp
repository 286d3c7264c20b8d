// What heads attend to on tasks of words, with members whose heads look_at_words where they were
// told.
#include <algorithm>

#include <gtest/gtest.h>

#include "heddle/base/index.hpp"
#include "heddle/lens/asked.hpp"
#include "heddle/lens/open_task.hpp"
#include "heddle/lens/specialise/words.hpp"
#include "heddle/lens/watch.hpp"
#include "heddle/record/tree.hpp"
#include "tests/support/planted_heads.hpp"

namespace heddle::testing {
namespace {

constexpr double kCloseWords = 1e-6;

/// Reversal of up to six words out of nine; positions up to width eight can be planted.
Config reversal() {
  Config config = planted_config();
  config.task.name = TaskKind::reverse;
  config.task.symbols = 9;
  config.task.lengths = "2-6";
  return config;
}

Config modular() {
  Config config = planted_config();
  config.task.name = TaskKind::modular;
  config.task.modulus = 7;
  config.model.position = PositionKind::learned;
  config.model.layers = 2;
  return config;
}

Specialisation look_at_words(const Member& member, const std::vector<std::string>& questions,
                             int team = 1) {
  Team threads(team);
  const auto task = open_task("", member.config);
  return specialise_words(member, encoded(member, typed_questions(*task, questions)), threads);
}

/// −1 where the head has no such measure.
double word_value_of(const Specialisation& found, const std::string& head,
                     const std::string& measure) {
  for (const HeadMeasure& here : found.measures)
    if (here.head == head && here.measure == measure) return here.value;
  return -1;
}
double uniform_of(const Specialisation& found, const std::string& head,
                  const std::string& measure) {
  for (const HeadMeasure& here : found.measures)
    if (here.head == head && here.measure == measure) return here.uniform;
  return -1;
}
std::string word_role_of(const Specialisation& found, const std::string& head) {
  for (const HeadRole& here : found.roles)
    if (here.head == head) return here.role;
  return "";
}

LooksAt at(Index key) {
  return [key](Index) { return std::vector<Index>{key}; };
}
LooksAt mirrored(Index length) {
  return [length](Index q) {
    return q < length ? std::vector<Index>{length - 1 - q} : std::vector<Index>{};
  };
}

/// A head that looks at nothing in particular has, in every measure, the value beside it, however
/// the questions are padded.
TEST(SpecialiseWords, UniformHeadsHaveTheUniformValue) {
  for (const Config& config : {reversal(), modular()}) {
    const bool labels = config.classifies();
    const std::vector<std::string> questions =
        labels ? std::vector<std::string>{"1 2", "3 3"}
               : std::vector<std::string>{"1 2 3 4 5 6", "1 1", "8 0 8", "2 3 4 5"};
    const Specialisation found = look_at_words(uniform_member(config), questions);
    EXPECT_EQ(found.problems, std::ssize(questions));
    EXPECT_EQ(found.roles.size(), labels ? 8U : 24U);
    EXPECT_TRUE(found.as_reported.empty());
    for (const HeadMeasure& measure : found.measures)
      EXPECT_NEAR(measure.value, measure.uniform, kCloseWords) << measure.head << measure.measure;
    for (const HeadRole& role : found.roles) EXPECT_EQ(role.role, "broad") << role.head;
  }
}

TEST(SpecialiseWords, UniformValuesCountUnpaddedKeys) {
  const Specialisation found = look_at_words(uniform_member(reversal()), {"1 2 3 4", "5 6"});
  // Rows: four of four keys, two of two; padding is neither.
  EXPECT_NEAR(uniform_of(found, "encoder.0.self.head.0", "self"), (4 * 0.25 + 2 * 0.5) / 6,
              kCloseWords);
  EXPECT_NEAR(uniform_of(found, "encoder.0.self.head.0", "previous"), (3 * 0.25 + 0.5) / 4,
              kCloseWords);
  // The first row of each has no earlier place, the last no later one; its own is "self" alone.
  EXPECT_NEAR(uniform_of(found, "encoder.1.self.head.3", "first"), (3 * 0.25 + 0.5) / 4,
              kCloseWords);
  EXPECT_NEAR(uniform_of(found, "encoder.1.self.head.3", "mirror"), (4 * 0.25 + 2 * 0.5) / 6,
              kCloseWords);
  EXPECT_EQ(word_value_of(found, "encoder.0.self.head.0", "aligned"), -1);
  EXPECT_EQ(word_value_of(found, "decoder.0.self.head.0", "next"), -1);
  EXPECT_EQ(word_value_of(found, "decoder.0.self.head.0", "last"), -1);
  EXPECT_EQ(word_value_of(found, "decoder.0.cross.head.0", "self"), -1);
}

TEST(SpecialiseWords, PlantedHeadsGetTheirRoles) {
  Member member = uniform_member(reversal());
  plant(member, "encoder.0.self", 0, [](Index q) { return std::vector<Index>{q}; });
  plant(member, "encoder.0.self", 1,
        [](Index q) { return q > 0 ? std::vector<Index>{q - 1} : std::vector<Index>{}; });
  plant(member, "encoder.0.self", 2,
        [](Index q) { return std::vector<Index>{std::min<Index>(q + 1, 7)}; });
  plant(member, "encoder.0.self", 3, mirrored(5));
  plant(member, "encoder.1.self", 0, at(0));
  plant(member, "encoder.1.self", 1, at(4));
  plant(member, "decoder.0.self", 0, at(0));
  plant(member, "decoder.0.cross", 0, [](Index q) { return std::vector<Index>{q}; });
  plant(member, "decoder.0.cross", 1, mirrored(5));
  member.weights.pack();
  const Specialisation found = look_at_words(member, {"1 2 3 4 5", "8 7 6 5 4"});
  const std::vector<std::pair<std::string, std::string>> wanted{
      {"encoder.0.self.head.0", "self"},     {"encoder.0.self.head.1", "previous"},
      {"encoder.0.self.head.2", "next"},     {"encoder.0.self.head.3", "mirror"},
      {"encoder.1.self.head.0", "first"},    {"encoder.1.self.head.1", "last"},
      {"decoder.0.cross.head.0", "aligned"}, {"decoder.0.cross.head.1", "mirror"}};
  for (const auto& [head, role] : wanted) {
    EXPECT_EQ(word_role_of(found, head), role) << head;
    EXPECT_NEAR(word_value_of(found, head, role), 1, kCloseWords) << head;
  }
  EXPECT_EQ(word_role_of(found, "encoder.1.self.head.2"), "broad");
}

/// The third place is the last of one question and the middle of the other.
TEST(SpecialiseWords, PlacesAreThoseOfTheQuestionNotOfThePadding) {
  Member member = uniform_member(reversal());
  plant(member, "encoder.0.self", 0, at(2));
  member.weights.pack();
  const Specialisation found = look_at_words(member, {"1 2 3", "1 2 3 4 5 6"});
  EXPECT_NEAR(word_value_of(found, "encoder.0.self.head.0", "last"), 2.0 / 7, kCloseWords);
  EXPECT_NEAR(word_value_of(look_at_words(member, {"1 2 3"}), "encoder.0.self.head.0", "last"), 1,
              kCloseWords);
}

TEST(SpecialiseWords, SameTokenCountsOtherPlacesAlone) {
  Member member = uniform_member(reversal());
  plant(member, "encoder.0.self", 1, at(0));
  member.weights.pack();
  const Specialisation found = look_at_words(member, {"5 5 7 5"});
  EXPECT_NEAR(word_value_of(found, "encoder.0.self.head.0", "same-token"), 0.5,
              kCloseWords);  // uniform
  EXPECT_NEAR(word_value_of(found, "encoder.0.self.head.1", "same-token"), 2.0 / 3, kCloseWords);
  EXPECT_EQ(
      word_value_of(look_at_words(member, {"1 2 3 4"}), "encoder.0.self.head.0", "same-token"), -1);
}

/// Heads that look_at_words one way alone are measured on what they may look_at_words at.
TEST(SpecialiseWords, HeadsOfOneDirection) {
  Config config;
  config.task.name = TaskKind::sortedness;
  config.model.d_model = 16;
  config.model.d_ff = 16;
  config.model.heads = 2;
  config.model.layers = 1;
  config.model.position = PositionKind::alibi;
  config.model.direction = DirectionKind::split;
  const Specialisation found = look_at_words(make_member(config), {"3 5 9 7", "1 2 3 4 5 6 7"});
  EXPECT_EQ(word_value_of(found, "encoder.0.self.head.0", "next"), -1);
  EXPECT_EQ(word_value_of(found, "encoder.0.self.head.1", "previous"), -1);
  EXPECT_EQ(word_value_of(found, "encoder.0.self.head.0", "last"), -1);
  EXPECT_GT(word_value_of(found, "encoder.0.self.head.0", "previous"), 0);
  // Of four tokens: rows with 2, 3, 4 keys; of seven: 2 … 7.
  const double shares = 1. / 2 + 1. / 3 + 1. / 4, more = shares + 1. / 5 + 1. / 6 + 1. / 7;
  EXPECT_NEAR(uniform_of(found, "encoder.0.self.head.0", "previous"), (shares + more) / 9,
              kCloseWords);
}

TEST(SpecialiseWords, SameBitsForAnyTeam) {
  const Member member = make_member(reversal());
  Team one(1), three(3);
  const auto task = open_task("", member.config);
  const EncodedQuestions questions = encoded(member, some_of(task->test(), 0, 700));
  EXPECT_EQ(to_tree(specialise_words(member, questions, one)),
            to_tree(specialise_words(member, questions, three)));
}

/// Answers end with their EOS; what stands behind it is padding.
TEST(DecodeQuestions, AnswersEndAndRowsDoNotDependOnEachOther) {
  const Member member = make_member(reversal());
  const auto task = open_task("", member.config);
  Team team(2);
  const std::vector<std::string> texts{"1 2 3 4 5 6", "7 8", "0 3 3 1"};
  const Decoded all =
      decode_questions(member, encoded(member, asked_questions(*task, texts)), team);
  const TaskShape shape = shape_of(member.config.task);
  for (Index i = 0; i < 3; ++i) {
    const Questions alone = asked_questions(*task, {texts[to_size(i)]});
    const Decoded one = decode_questions(member, encoded(member, alone), team);
    const Index length = one.used(Stream::target, 0);
    EXPECT_EQ(all.used(Stream::target, i), length);
    EXPECT_EQ(all.used(Stream::source, i), one.read.source_length);
    EXPECT_TRUE(std::ranges::equal(all.answer_row(i).first(to_size(length)), one.answer_row(0)));
    for (const std::int32_t token : all.answer_row(i).subspan(to_size(length)))
      EXPECT_EQ(token, shape.pad());
    EXPECT_EQ(std::ranges::count(one.answer_row(0).first(one.said.size() - 1), shape.eos()), 0);
  }
}

}  // namespace
}  // namespace heddle::testing
