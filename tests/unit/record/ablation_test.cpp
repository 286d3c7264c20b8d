// The order in which heads matter: one for claims, tables and figures.
#include "heddle/record/ablation.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "heddle/record/tree.hpp"

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

TEST(Kinds, AreNamesInJsonAndNoOtherWordIsOne) {
  Effect made = effect("encoder.0.self.head.0", 0.2, 1, AblationMode::resample);
  made.band = Band::critical;
  Json tree = to_tree(made);
  EXPECT_EQ(tree["mode"], "resample");
  EXPECT_EQ(tree["band"], "critical");
  EXPECT_EQ(from_tree<Effect>(tree).mode, AblationMode::resample);
  EXPECT_EQ(from_tree<Effect>(tree).band, Band::critical);
  tree["mode"] = "half";
  try {
    (void)from_tree<Effect>(tree);
    ADD_FAILURE() << "a mode that is none was read";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), "mode: zero or mean or resample is wanted, not 'half'");
  }
  tree["mode"] = 1;
  EXPECT_THROW((void)from_tree<Effect>(tree), Error);
}

TEST(Kinds, BandsBeginAboveOneAndTenPoints) {
  EXPECT_EQ(band_of(0.01), Band::redundant);
  EXPECT_EQ(band_of(0.0101), Band::important);
  EXPECT_EQ(band_of(0.10), Band::important);
  EXPECT_EQ(band_of(0.1001), Band::critical);
}

}  // namespace
}  // namespace heddle::testing
