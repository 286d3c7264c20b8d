// Names, patterns and numbers.
#include "heddle/base/text.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace heddle {
namespace {

using TextWords = std::vector<std::string>;

TEST(Text, QuoteStaysOnOneLine) {
  EXPECT_EQ(quote("heads"), "'heads'");
  EXPECT_EQ(quote("a\nb\x7f\x1b"), "'a\\x0ab\\x7f\\x1b'");
  EXPECT_EQ(quote("süß €😀"), "'süß €😀'");
  EXPECT_EQ(quote("\xff\xc3"), "'\\xff\\xc3'");
  EXPECT_EQ(quote("\xed\xa0\x80"), "'\\xed\\xa0\\x80'");  // a surrogate is no character
  EXPECT_EQ(quote("abcdef", 3), "'abc…'");
  EXPECT_EQ(quote("aaß", 3), "'aa…'");  // never half a character
  EXPECT_EQ(quote(std::string(1000, 'x')).size(), 200 + std::string("''…").size());
  const std::string path(3000, '\n');
  EXPECT_EQ(quote_path(path).size(), 4 * path.size() + 2);
}

TEST(Text, WhatWouldSteerATerminalIsShown) {
  EXPECT_EQ(quote("a\u202e\u0085b"), "'a\\u202e\\u0085b'");
  EXPECT_EQ(quote("\u2066\u2069\u061c\u200f\u2028", 20), "'\\u2066\\u2069\\u061c…'");
  EXPECT_EQ(quote("\u2027\u2065\u00a0\u061b"), "'\u2027\u2065\u00a0\u061b'");  // their neighbours
  EXPECT_EQ(printable("one\ttwo\nthree"), "one\ttwo\nthree");
  EXPECT_EQ(printable("\x1b[2J \u009b2J \u202eabc \xff ü"),
            "\\x1b[2J \\u009b2J \\u202eabc \\xff ü");
  EXPECT_EQ(printable(""), "");
  const std::string plain(1 << 20, 'x');
  EXPECT_EQ(printable(plain), plain);
}

TEST(Text, Utf8) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("plain, süß, €, 😀"));
  for (const char* bad : {"\x80", "\xc0\x80", "\xc3", "\xe0\x80\x80", "\xed\xa0\x80", "\xe2\x82",
                          "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff"})
    EXPECT_FALSE(is_utf8(bad)) << quote(bad);
}

TEST(Text, EditDistance) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("heads", "heads"), 0U);
  EXPECT_EQ(edit_distance("haeds", "heads"), 1U);  // two neighbours swapped
  EXPECT_EQ(edit_distance("head", "heads"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("ca", "abc"), 3U);  // no place is edited twice
}

TEST(Text, NearestNames) {
  const TextWords settings{"heads", "d_model", "batch", "steps", "seed", "layers"};
  EXPECT_EQ(nearest("haeds", settings, 3), TextWords{"heads"});
  EXPECT_EQ(nearest("dmodel", settings, 1), TextWords{"d_model"});
  EXPECT_EQ(nearest("sead", settings, 3), (TextWords{"seed", "heads"}));  // nearest first
  EXPECT_EQ(nearest("zzzzzz", settings, 3), TextWords{});
  EXPECT_EQ(nearest(std::string(1 << 20, 'h'), settings, 3), TextWords{});
  const TextWords taps{"encoder.0.self.z", "encoder.0.self.q", "encoder.1.self.q"};
  EXPECT_EQ(nearest("encoder.0.sef.q", taps, 2),
            (TextWords{"encoder.0.self.q", "encoder.0.self.z"}));
  EXPECT_EQ(nearest("encoder.0.self.x", taps, 2),
            (TextWords{"encoder.0.self.z", "encoder.0.self.q"}));
}

TEST(Text, PatternsOverPaths) {
  EXPECT_TRUE(matches("encoder.0.self.z", "encoder.0.self.z"));
  EXPECT_TRUE(matches("encoder.*.self.z", "encoder.12.self.z"));
  EXPECT_TRUE(matches("*.0.*.pat*", "decoder.0.cross.pattern"));
  EXPECT_TRUE(matches("**", "anything.at.all"));
  EXPECT_TRUE(matches("**.z", "encoder.0.self.z"));
  EXPECT_TRUE(matches("encoder.**", "encoder.0.self.z"));
  EXPECT_TRUE(matches("e**self*.z", "encoder.0.self.z"));
  EXPECT_TRUE(matches("***z", "encoder.0.self.z"));
  EXPECT_TRUE(matches("a*b*c", "axbybzc"));
  EXPECT_TRUE(matches("**a*.b", "a.a.xax.b"));
  EXPECT_TRUE(matches("", ""));
  EXPECT_TRUE(matches("*", ""));
  EXPECT_FALSE(matches("*", "a.b"));  // a star stays in its segment
  EXPECT_FALSE(matches("encoder.*.z", "encoder.0.self.z"));
  EXPECT_FALSE(matches("encoder.0.self.z", "encoder.0.self.zz"));
  EXPECT_FALSE(matches("encoder.0.self.zz", "encoder.0.self.z"));
  EXPECT_FALSE(matches("", "a"));
  EXPECT_FALSE(matches("a", ""));
  EXPECT_FALSE(matches("**.z", "z"));
}

TEST(Text, PatternsNeverBlowUp) {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "**a*a";
  EXPECT_FALSE(matches(pattern + "b", std::string(2000, 'a')));  // minutes, if it tried every way
}

TEST(Text, SplitAndJoin) {
  EXPECT_EQ(split("a,b,,c", ','), (TextWords{"a", "b", "", "c"}));
  EXPECT_EQ(split("", ','), TextWords{""});
  EXPECT_EQ(split(",", ','), (TextWords{"", ""}));
  EXPECT_EQ(join(TextWords{"a", "b", "", "c"}, ", "), "a, b, , c");
  EXPECT_EQ(join(TextWords{}, ", "), "");
}

TEST(Text, ParseInt) {
  EXPECT_EQ(parse_int("0"), 0);
  EXPECT_EQ(parse_int("-17"), -17);
  EXPECT_EQ(parse_int("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  for (const char* bad : {"", " 1", "1 ", "+1", "1.0", "1e3", "0x10", "9223372036854775808", "-",
                          "--1", "1,000", "a"})
    EXPECT_FALSE(parse_int(bad)) << bad;
}

TEST(Text, ParseDouble) {
  EXPECT_EQ(parse_double("0.5"), 0.5);
  EXPECT_EQ(parse_double("-3e-4"), -3e-4);
  EXPECT_EQ(parse_double("7"), 7.0);
  for (const char* bad :
       {"", " 1", "1 ", "+1", "nan", "inf", "-inf", "1e999", "0,5", "0x1p3", "1.5f", "1..5"})
    EXPECT_FALSE(parse_double(bad)) << bad;
}

TEST(Text, Durations) {
  EXPECT_EQ(format_seconds(0), "0.000 s");
  EXPECT_EQ(format_seconds(0.0421), "0.042 s");
  EXPECT_EQ(format_seconds(0.9996), "1.0 s");
  EXPECT_EQ(format_seconds(8.31), "8.3 s");
  EXPECT_EQ(format_seconds(59.96), "1 m 0 s");
  EXPECT_EQ(format_seconds(83), "1 m 23 s");
  EXPECT_EQ(format_seconds(3599.6), "1 h 0 m");
  EXPECT_EQ(format_seconds(7500), "2 h 5 m");
  EXPECT_EQ(format_seconds(3 * 86400 + 4 * 3600 + 59), "3 d 4 h");
  EXPECT_EQ(format_seconds(-1), "?");
  EXPECT_EQ(format_seconds(std::numeric_limits<double>::quiet_NaN()), "?");
  EXPECT_EQ(format_seconds(std::numeric_limits<double>::infinity()), "?");
}

TEST(Text, Counts) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1000), "1,000");
  EXPECT_EQ(format_count(1000000), "1,000,000");
  EXPECT_EQ(format_count(-123), "-123");
  EXPECT_EQ(format_count(-123456), "-123,456");
  EXPECT_EQ(format_count(std::numeric_limits<std::int64_t>::min()), "-9,223,372,036,854,775,808");
}

}  // namespace
}  // namespace heddle
