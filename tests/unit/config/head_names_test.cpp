// Heads that are not there, as a setting: names, order, refusals, and what older runs see of it.
#include "heddle/config/head_names.hpp"

#include <gtest/gtest.h>

#include "heddle/base/hash.hpp"
#include "heddle/config/load.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle {
namespace {

std::string head_refusal(const std::string& list) {
  return message_of<UsageError>([&] {
    Config config;
    set(config, "cut_heads", list);
    validate(config);
  });
}

TEST(HeadNames, AnyOrderIsTheSameConfiguration) {
  Config a, b;
  set(a, "cut_heads=decoder.1.cross.head.3,encoder.0.self.head.1,decoder.1.self.head.0");
  set(b, "cut_heads=decoder.1.self.head.0,decoder.1.cross.head.3,encoder.0.self.head.1");
  EXPECT_EQ(a.model.cut_heads,
            "encoder.0.self.head.1,decoder.1.self.head.0,decoder.1.cross.head.3");
  EXPECT_TRUE(a == b);
  EXPECT_EQ(config_hash(a), config_hash(b));
  EXPECT_NE(config_hash(a), config_hash(Config{}));
  EXPECT_TRUE(parse_config(config_json(a)) == a);
}

TEST(HeadNames, WhatIsNoHeadIsRefused) {
  for (const char* list :
       {"foo", "encoder.0.cross.head.1", "encoder.0.self.head.01", "encoder.0.self.head.",
        "encoder.0.self.head.1,", ",", " encoder.0.self.head.1", "encoder.0.self.head.1.z"})
    EXPECT_NE(
        head_refusal(list).find("is no head; accepted is names such as encoder.0.self.head.1"),
        std::string::npos)
        << list << ": " << head_refusal(list);
  EXPECT_NE(head_refusal("encoder.0.self.head.1,encoder.0.self.head.1").find("stands there twice"),
            std::string::npos);
  EXPECT_EQ(
      head_refusal("encoder.2.self.head.1"),
      "model.cut_heads: there is no encoder.2.self.head.1; accepted is encoder layers 0 to 1");
  EXPECT_EQ(head_refusal("decoder.1.cross.head.4"),
            "model.cut_heads: there is no decoder.1.cross.head.4; accepted is heads 0 to 3");
  EXPECT_EQ(head_refusal("decoder.1.cross.head.3"), "no error");
}

/// A run from before the setting: its config.json has no cut_heads, its hash knows nothing of it.
TEST(HeadNames, OlderRunsStayWhatTheyWere) {
  std::string json = config_json({});
  const std::size_t at = json.find(",\n    \"cut_heads\": \"\"");
  ASSERT_NE(at, std::string::npos) << json;
  json.erase(at, std::string(",\n    \"cut_heads\": \"\"").size());
  EXPECT_TRUE(parse_config(json) == Config{});
  Hash hash;
  const Config config;
  walk_settings(config, [&](const auto& field) {
    if (field.path != "model.cut_heads" && field.range.when_missing.empty())
      hash.add(field.path).add(field_text(field.value));
  });
  EXPECT_EQ(config_hash(config), hash.hex());
}

TEST(HeadNames, ATextThatIsANumberIsRefused) {
  std::string json = config_json({});
  const std::size_t at = json.find("\"cut_heads\": \"\"");
  json.replace(at, std::string("\"cut_heads\": \"\"").size(), "\"cut_heads\": 3");
  EXPECT_NE(message_of<UsageError>([&] { parse_config(json); }).find("wrong type"),
            std::string::npos);
}

TEST(HeadNames, WhatIsLeftKeepsItsNumber) {
  Config config;
  set(config, "cut_heads=encoder.0.self.head.1,encoder.0.self.head.2");
  EXPECT_EQ(heads_left(config.model, "encoder.0.self"), (std::vector<std::int64_t>{0, 3}));
  EXPECT_EQ(heads_left(config.model, "decoder.0.self").size(), 4U);
  EXPECT_EQ(whole_name(config.model, "encoder.0.self", 1), "encoder.0.self.head.3");
}

}  // namespace
}  // namespace heddle
