// Names of heads: read, written, ordered.
#include "heddle/base/head_name.hpp"

#include <gtest/gtest.h>

namespace heddle::testing {
namespace {

TEST(HeadName, ReadsAHeadAndItsAttention) {
  const auto head = parse_head_name("decoder.1.cross.head.12");
  ASSERT_TRUE(head);
  EXPECT_TRUE(head->decoder && head->cross && head->is_head());
  EXPECT_EQ(head->layer, 1);
  EXPECT_EQ(head->number, 12);
  EXPECT_EQ(head->module(), "decoder.1.cross");
  EXPECT_EQ(head->text(), "decoder.1.cross.head.12");
  const auto module = parse_head_name("encoder.0.self");
  ASSERT_TRUE(module);
  EXPECT_FALSE(module->is_head());
  EXPECT_EQ(module->text(), "encoder.0.self");
}

TEST(HeadName, WhatIsNoHeadIsNone) {
  for (const char* text :
       {"", "encoder", "encoder.0.mlp", "encoder.0.cross", "encoder.0.self.head.01",
        "encoder.0.self.head.-1", "encoder.0.self.z", "encoder.0.self.head.x", "encoder.a.self",
        "embed.0.self.head.1", "encoder.0.self.tail.1"})
    EXPECT_FALSE(parse_head_name(text)) << text;
}

TEST(HeadName, OrderIsThatOfTheData) {
  EXPECT_LT(parse_head_name("encoder.1.self.head.3"), parse_head_name("decoder.0.self.head.0"));
  EXPECT_LT(parse_head_name("decoder.0.self.head.3"), parse_head_name("decoder.0.cross.head.0"));
  EXPECT_LT(parse_head_name("decoder.0.cross.head.9"), parse_head_name("decoder.0.cross.head.10"));
}

TEST(HeadName, AModuleIsWhatStandsBeforeTheHead) {
  EXPECT_EQ(module_of("encoder.0.self.head.3"), "encoder.0.self");
  EXPECT_EQ(module_of("within 1 point"), "within 1 point");
}

}  // namespace
}  // namespace heddle::testing
