// Texts and ids, their order, and tokens of a typed text.
#include "heddle/task/file/lexicon.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "heddle/base/check.hpp"
#include "heddle/task/file/text_tokens.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle {
namespace {

using Ids = std::vector<std::int32_t>;
using Texts = std::vector<std::string>;

TEST(Lexicon, GivesEachTextOneId) {
  Lexicon lexicon;
  EXPECT_FALSE(lexicon.find("a"));
  EXPECT_EQ(lexicon.add("b"), 0);
  EXPECT_EQ(lexicon.add("a"), 1);
  EXPECT_EQ(lexicon.add("b"), 0);
  EXPECT_EQ(lexicon.size(), 2);
  EXPECT_EQ(lexicon.text(0), "b");
  EXPECT_EQ(lexicon.text(1), "a");
  EXPECT_EQ(lexicon.find("a"), 1);
  EXPECT_FALSE(lexicon.find("ab"));
  EXPECT_FALSE(lexicon.find(""));
}

TEST(Lexicon, HoldsManyTexts) {
  Lexicon lexicon;
  for (int i = 0; i < 70'000; ++i) ASSERT_EQ(lexicon.add("text number " + std::to_string(i)), i);
  for (int i = 0; i < 70'000; ++i) ASSERT_EQ(lexicon.find("text number " + std::to_string(i)), i);
  EXPECT_FALSE(lexicon.find("text number 70000"));
  const Lexicon copy = lexicon;  // NOLINT: the copy is the point
  EXPECT_EQ(copy.find("text number 69999"), 69'999);
  EXPECT_EQ(copy, lexicon);
}

TEST(Lexicon, OrdersNumbersByValueThenTextsByBytes) {
  const Texts order{"-100", "-12", "-9",  "-09", "0",  "-0",
                    "00",   "7",   "007", "8",   "12", "99999999999999999999999",
                    "-",    "--1", "1.5", "1a",  "A",  "a",
                    "aa",   "b",   "é"};
  Texts texts = order;
  std::mt19937 random(5);
  for (int round = 0; round < 20; ++round) {
    std::ranges::shuffle(texts, random);
    Lexicon lexicon(texts);
    const Ids new_id = lexicon.sort();
    EXPECT_EQ(lexicon.texts(), order);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      EXPECT_EQ(lexicon.text(new_id[i]), texts[i]);
      EXPECT_EQ(lexicon.find(texts[i]), new_id[i]);
    }
  }
}

TEST(Lexicon, SavedTextsGiveTheSameLexicon) {
  Lexicon lexicon;
  for (const char* text : {"x", "1", "é", " "}) lexicon.add(text);
  EXPECT_EQ(Lexicon(lexicon.texts()), lexicon);
  EXPECT_EQ(message_of<UsageError>([] { Lexicon(Texts{"a", "b", "a"}); }),
            "the text 'a' comes twice in a lexicon");
  EXPECT_EQ(message_of<UsageError>([] { Lexicon(Texts{""}); }), "a lexicon has no empty text");
}

TEST(Lexicon, TypedTextBecomesIds) {
  const Lexicon lexicon(Texts{"1", "23", "é", " "});
  EXPECT_EQ(encode_text(" 23\t1 é", TokenKind::words, lexicon, 3), (Ids{1, 0, 2}));
  EXPECT_EQ(encode_text("1 é", TokenKind::characters, lexicon, 3), (Ids{0, 3, 2}));
  EXPECT_EQ(decode_text(Ids{1, 0, 2, 9, -1}, TokenKind::words, lexicon), "23 1 é ? ?");
  EXPECT_EQ(decode_text(Ids{0, 3, 2}, TokenKind::characters, lexicon), "1 é");
  const auto said = [&](std::string_view text) {
    return message_of<UsageError>([&] { encode_text(text, TokenKind::words, lexicon, 3); });
  };
  EXPECT_EQ(said("1 2"), "unknown token '2'; the 4 known ones are '1 23 é  '");
  EXPECT_EQ(said("1 1 1 1"), "the input has more than 3 tokens");
  EXPECT_EQ(said(" "), "the input ' ' has no token");
  EXPECT_EQ(said("1 \xFF"), "the input '1 \\xff' is not UTF-8");
}

}  // namespace
}  // namespace heddle
