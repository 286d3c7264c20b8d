// The hash: golden values, and that nothing it reads is lost.
#include "heddle/base/hash.hpp"

#include <array>
#include <bit>
#include <set>

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Hash, GoldenValues) {  // from an independent version in Python
  EXPECT_EQ(Hash().hex(), "f52a15e9a9b5e89b");
  EXPECT_EQ(Hash().add(std::uint64_t{1}).hex(), "5ca6bbcbb1e85355");
  EXPECT_EQ(Hash().add("heddle").hex(), "6be2f073c24b3fe2");
}

TEST(Hash, BytesInPiecesAreTheSame) {
  const std::array<std::uint8_t, 4> all{1, 2, 3, 4};
  const std::span<const std::uint8_t> span(all);
  EXPECT_EQ(Hash().bytes(span).value(), Hash().bytes(span.first(1)).bytes(span.subspan(1)).value());
}

TEST(Hash, TextsKeepTheirBorders) {
  EXPECT_NE(Hash().add("ab").add("c").value(), Hash().add("a").add("bc").value());
  EXPECT_NE(Hash().add("").add("a").value(), Hash().add("a").add("").value());
}

TEST(Hash, NumbersAreReadWhole) {
  std::set<std::uint64_t> values;
  for (int bit = 0; bit < 64; ++bit)
    values.insert(Hash().add(std::uint64_t{1} << static_cast<unsigned>(bit)).value());
  EXPECT_EQ(values.size(), 64U);
}

TEST(Hash, OneBitChangesAboutHalfTheResult) {
  int changed = 0;
  for (unsigned bit = 0; bit < 64; ++bit)
    changed += std::popcount(Hash().add(std::uint64_t{1} << bit).value() ^
                             Hash().add(std::uint64_t{0}).value());
  EXPECT_NEAR(changed / 64.0, 32, 2);
}

}  // namespace
}  // namespace heddle
