// JSON values and texts: what is written is read back, and hostile texts are refused in one line.
#include "heddle/base/json.hpp"

#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

#include "tests/support/holds.hpp"
#include "tests/support/print_json.hpp"

namespace heddle {
namespace {

std::string json_refusal(const std::string& text, const JsonRules& rules = {}) {
  try {
    (void)Json::parse(text, rules);
  } catch (const JsonError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Json, BracesMakeObjectsAndLists) {
  EXPECT_EQ((Json{{"a", 1}, {"b", {1, 2}}}).dump(), R"({"a":1,"b":[1,2]})");
  EXPECT_EQ((Json{1, "x", nullptr, true}).dump(), R"([1,"x",null,true])");
  EXPECT_EQ((Json{{"a", "b"}, {"a", "c"}}).dump(), R"({"a":"c"})") << "the last value wins";
  EXPECT_EQ(Json(std::vector<double>{0.5, 2}).dump(), "[0.5,2.0]");
}

TEST(Json, WhatIsWrittenIsReadBack) {
  const std::string text =
      R"({"z":[-1,18446744073709551615,-9223372036854775808,0.1,1e-07,1e+22],"a":{"ü\n\"":null}})";
  EXPECT_EQ(Json::parse(text).dump(), text);
  EXPECT_EQ(Json::parse(Json::parse(text).dump(2)), Json::parse(text));
  EXPECT_EQ(Json::parse(R"({"a": [ ], "b": {}})").dump(1), "{\n \"a\": [],\n \"b\": {}\n}");
}

TEST(Json, NumbersAreTheirValues) {
  EXPECT_EQ(Json(3), Json(3U));
  EXPECT_EQ(Json(3), Json(3.0));
  EXPECT_FALSE(Json(-1) == Json(std::numeric_limits<std::uint64_t>::max()));
  EXPECT_EQ(Json(std::numeric_limits<double>::quiet_NaN()).dump(), "null");
  EXPECT_EQ(Json::parse("3").get<double>(), 3.0);
}

TEST(Json, ANumberThatDoesNotFitIsRefused) {
  EXPECT_THROW((void)Json::parse("18446744073709551600").get<std::int64_t>(), JsonError);
  EXPECT_THROW((void)Json::parse("-1").get<std::uint64_t>(), JsonError);
  EXPECT_THROW((void)Json::parse("300").get<std::uint8_t>(), JsonError);
  EXPECT_THROW((void)Json::parse("1e300").get<std::int64_t>(), JsonError);
  EXPECT_THROW((void)Json("3").get<int>(), JsonError);
}

TEST(Json, WhatIsMissingIsNamed) {
  const Json json{{"a", 1}};
  EXPECT_THROW((void)json.at("b"), JsonError);
  EXPECT_THROW((void)json["a"]["b"], JsonError);
  EXPECT_THROW((void)json[0], JsonError);
  EXPECT_EQ(json.lookup("b"), nullptr);
  EXPECT_EQ(json.value("b", 7), 7);
  EXPECT_EQ(json.value("a", 7), 1);
}

TEST(Json, HostileTextsAreRefused) {
  EXPECT_TRUE(holds(json_refusal("{\"a\":"), "no JSON at byte"));
  EXPECT_TRUE(holds(json_refusal(""), "no JSON"));
  EXPECT_TRUE(holds(json_refusal("[1e999]"), "no JSON"));
  EXPECT_TRUE(holds(json_refusal("\"\xff\""), "no JSON"));
  EXPECT_TRUE(Json::try_parse("{").is_discarded());
  const int deep = 1'000'000;
  EXPECT_TRUE(holds(json_refusal(std::string(deep, '[')), "nested deeper than 200"));
  const std::string allowed = std::string(200, '[') + std::string(200, ']');
  EXPECT_EQ(Json::parse(allowed).dump(), allowed);
  EXPECT_TRUE(holds(json_refusal('[' + allowed + ']'), "nested deeper"));
}

TEST(Json, AnObjectOfManyKeysIsReadInAMoment) {
  constexpr int kKeys =
      200'000;  // one after the other they would be compared 20 milliards of times
  std::string text = "{";
  for (int i = 0; i < kKeys; ++i) text += fmt::format("\"k{}\": {}, ", i, i);
  const Json tree = Json::parse(text + R"("k7": "again", "k199999": {"k7": 1}, "new": [2]})");
  EXPECT_EQ(tree.size(), to_size(kKeys) + 1);
  EXPECT_EQ(tree.items()[7].second.get<std::string>(), "again");  // first place, last value
  EXPECT_EQ(tree.items()[8].second.get<int>(), 8);
  EXPECT_EQ(tree["k199999"]["k7"].get<int>(), 1);
  EXPECT_EQ(tree.items().back().first, "new");
  EXPECT_THROW(Json::parse(text + R"("k150000": 0})", {.unique_keys = true}), JsonError);
}

TEST(Json, RulesHold) {
  const std::string twice = R"({"a":{"b":1,"b":2}})";
  EXPECT_EQ(Json::parse(twice).dump(), R"({"a":{"b":2}})");
  EXPECT_TRUE(holds(json_refusal(twice, {.unique_keys = true}), "'b' stands there twice"));
  EXPECT_EQ(Json::parse(R"({"a":[1,{"x":2}],"b":3,"c":{"d":[]}})", {.outermost_only = true}),
            (Json{{"b", 3}}));
}

TEST(Json, BytesThatAreNoTextAreReplacedOrRefused) {
  const Json json(std::string("a\xff"));
  EXPECT_THROW((void)json.dump(), JsonError);
  EXPECT_EQ(json.dump(-1, Json::OnBadText::replace), "\"a\xef\xbf\xbd\"");
}

TEST(Json, ListsAndObjectsLoseParts) {
  Json json{{"list", {1, 2, 3}}, {"x", 1}};
  json["list"].erase(std::size_t{1});
  EXPECT_EQ(json.erase("x"), 1U);
  EXPECT_EQ(json.dump(), R"({"list":[1,3]})");
  EXPECT_THROW(json["list"].erase(std::size_t{2}), JsonError);
}

}  // namespace
}  // namespace heddle
