// The order in which heads matter: one for claims, tables and figures.
#include "heddle/record/ablation.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace heddle::testing {
namespace {

Effect effect(const char* head, double drop, double margin,
              AblationMode mode = AblationMode::mean) {
  Effect made;
  made.what = head;
  made.mode = mode;
  made.drop = drop;
  made.margin_drop = margin;
  return made;
}

TEST(Ranked, EqualDropsAreToldApartByMarginThenByName) {
  const std::vector<Effect> effects{effect("e", 0.1, 1), effect("b", 0.5, 1), effect("d", 0.1, 2),
                                    effect("a", 0.9, 9, AblationMode::zero), effect("c", 0.1, 1)};
  std::string order;
  for (const Effect* one : ranked(effects, AblationMode::mean)) order += one->what;
  EXPECT_EQ(order, "bdce");
}

TEST(Ranked, WhatWasNotMeasuredComesLast) {
  const std::vector<Effect> effects{effect("a", std::nan(""), 9), effect("b", -0.5, std::nan("")),
                                    effect("c", -0.5, -3)};
  std::string order;
  for (const Effect* one : ranked(effects, AblationMode::mean)) order += one->what;
  EXPECT_EQ(order, "cba");
}

}  // namespace
}  // namespace heddle::testing
