// Examples from files: what the same examples have in common however they are written.
#include "heddle/task/file/example_set.hpp"

#include <random>
#include <stdexcept>

#include <gtest/gtest.h>

#include "heddle/base/file.hpp"
#include "tests/support/example_text.hpp"
#include "tests/support/print_json.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle {
namespace {

using Ids = std::vector<std::int32_t>;
using Texts = std::vector<std::string>;

ExampleSet read_set(std::string_view text, ExampleFile kind = ExampleFile::csv,
                    TokenKind tokens = TokenKind::words) {
  ExampleOptions options;
  options.tokens = tokens;
  ExampleSet set = read_examples(text_source(text), kind, options);
  EXPECT_EQ(broken_promise(set, options), "");
  return set;
}

Ids set_ids(std::span<const std::int32_t> span) {
  return {span.begin(), span.end()};
}

/// Lines "3 1 2,1 2 3" with random digits.
std::string random_pairs(int count, unsigned seed) {
  std::mt19937 random(seed);
  std::string text = "input,output\n";
  for (int i = 0; i < count; ++i) {
    std::string input;
    for (unsigned k = 0; k < 1 + random() % 6; ++k) input += std::to_string(random() % 10) + " ";
    text += input + "," + std::to_string(random() % 10) + "\n";
  }
  return text;
}

TEST(ExampleSet, PairsOfACsv) {
  const ExampleSet set = read_set("input,output\n3 10 b,b\na,10 3\n");
  EXPECT_EQ(set.form, ExampleForm::pairs);
  EXPECT_EQ(set.size(), 2);
  EXPECT_EQ(set.tokens.texts(), (Texts{"3", "10", "a", "b"}));
  EXPECT_TRUE(set.labels.empty());
  EXPECT_EQ(set_ids(set.input(0)), (Ids{0, 1, 3}));
  EXPECT_EQ(set_ids(set.output(0)), Ids{3});
  EXPECT_EQ(set_ids(set.input(1)), Ids{2});
  EXPECT_EQ(set_ids(set.output(1)), (Ids{1, 0}));
  EXPECT_EQ(set.line(0), 2);
  EXPECT_EQ(set.line(1), 3);
}

TEST(ExampleSet, LabelsOfACsv) {
  const ExampleSet set = read_set("label,input\n very \t good ,3\nbad,4 3\nvery good,4\n");
  EXPECT_EQ(set.form, ExampleForm::labels);
  EXPECT_EQ(set.labels.texts(), (Texts{"bad", "very good"}));
  EXPECT_EQ(set.label(0), 1);
  EXPECT_EQ(set.label(1), 0);
  EXPECT_EQ(set.label(2), 1);
  EXPECT_TRUE(set.output(0).empty());
  EXPECT_EQ(set_ids(set.input(1)), (Ids{1, 0}));
}

TEST(ExampleSet, QuotesAsRfc4180HasThem) {
  const ExampleSet set = read_set(
      "\"input\",output\r\n"
      "\"a, \"\"b\"\" c\",\"\"\"\"\r\n"
      "\"one\r\n\ntwo\",\"x\"\r\n"
      "\"\"\"\",x\r\n");
  EXPECT_EQ(decode_text(set.input(0), TokenKind::words, set.tokens), "a, \"b\" c");
  EXPECT_EQ(decode_text(set.output(0), TokenKind::words, set.tokens), "\"");
  EXPECT_EQ(decode_text(set.input(1), TokenKind::words, set.tokens), "one two");
  EXPECT_EQ(decode_text(set.input(2), TokenKind::words, set.tokens), "\"");
  EXPECT_EQ(set.line(0), 2);
  EXPECT_EQ(set.line(1), 3);
  EXPECT_EQ(set.line(2), 6);  // the record before it has three lines
}

TEST(ExampleSet, JsonLinesOfEveryType) {
  const ExampleSet pairs = read_set(
      "{\"input\": [1, \"x\", -2], \"output\": \"caf\\u00e9 7\"}\n"
      " {\"output\": [18446744073709551615, -9223372036854775808], \"input\": \"1\"} \r\n\n",
      ExampleFile::jsonl);
  EXPECT_EQ(pairs.tokens.texts(),
            (Texts{"-9223372036854775808", "-2", "1", "7", "18446744073709551615", "café", "x"}));
  EXPECT_EQ(set_ids(pairs.input(0)), (Ids{2, 6, 1}));
  EXPECT_EQ(set_ids(pairs.output(0)), (Ids{5, 3}));
  const ExampleSet labels = read_set(
      "{\"input\": \"1\", \"label\": true}\n{\"input\": \"1\", \"label\": 3}\n"
      "{\"input\": \"1\", \"label\": \"false\"}\n{\"input\": \"1\", \"label\": false}\n",
      ExampleFile::jsonl);
  EXPECT_EQ(labels.labels.texts(), (Texts{"3", "false", "true"}));
  EXPECT_EQ(labels.label_ids, (Ids{2, 0, 1, 1}));
}

TEST(ExampleSet, OneSetHoweverItIsWritten) {
  const ExampleSet set = read_set("input,output\n1 2,a\n2,\"b\"\"c\"\n");
  const std::vector<std::pair<std::string, ExampleFile>> same{
      {"input,output\r\n1 2,a\r\n2,\"b\"\"c\"", ExampleFile::csv},
      {"\xEF\xBB\xBFinput,output\n1 2,a\n2,\"b\"\"c\"\n\n \r\n", ExampleFile::csv},
      {"\"output\", input\n\"a\",\"1  2\"\n\"b\"\"c\", 2 \n", ExampleFile::csv},
      {"output,input\na,\"1\n2\"\n\"b\"\"c\",2\n", ExampleFile::csv},
      {"input\toutput\n1 2\ta\n2\t\"b\"\"c\"\n", ExampleFile::tsv},
      {"{\"input\":[1,2],\"output\":\"a\"}\n{\"output\":[\"b\\\"c\"],\"input\":\"2\"}",
       ExampleFile::jsonl},
  };
  for (const auto& [text, kind] : same) {
    const ExampleSet other = read_set(text, kind);
    EXPECT_TRUE(same_examples(set, other)) << text;
    EXPECT_EQ(content_hash(set), content_hash(other)) << text;
  }
}

TEST(ExampleSet, TheHashSeesEverythingThatDecidesATraining) {
  const std::string head = "input,output,split\n";
  const std::vector<std::string> different{
      head + "1 2,1,train\n2,2,train\n",
      head + "2,2,train\n1 2,1,train\n",
      head + "1,2 1,train\n2,2,train\n",
      head + "1 2,1,train\n2,2,test\n",
      head + "1 2,1,train\n2,2,validation\n",
      head + "1 2,1,train\n2,1,train\n",
      head + "1 3,1,train\n3,3,train\n",
      head + "1 2,1,train\n",
      "input,label,split\n1 2,1,train\n2,2,train\n",
      "input,label,split\n1 2,2,train\n2,1,train\n",
  };
  std::vector<std::string> hashes;
  for (const std::string& text : different) hashes.push_back(content_hash(read_set(text)));
  std::ranges::sort(hashes);
  EXPECT_EQ(std::ranges::adjacent_find(hashes), hashes.end());
  EXPECT_EQ(hashes.front().size(), 16U);
}

TEST(ExampleSet, TheHashIsTheSameEverywhere) {  // from an independent version in Python
  EXPECT_EQ(content_hash(read_set("input,output,split\n1 2,1,train\n2,2 é,train\n2,1,test\n")),
            "50e619cdb2c2c5bc");
  EXPECT_EQ(
      content_hash(read_set("input,label,split\n1 2,yes,train\n2,no,train\n1,no,validation\n")),
      "c10427cd0f88bce4");
}

TEST(ExampleSet, IdsDoNotDependOnTheOrderOfLines) {
  const ExampleSet one = read_set("input,output\nb 10,a\n9 c,c\n-1 a,b\n");
  const ExampleSet other = read_set("input,output\n-1 a,b\n9 c,c\nb 10,a\n");
  EXPECT_EQ(one.tokens, other.tokens);
  EXPECT_EQ(set_ids(one.input(0)), set_ids(other.input(2)));
}

TEST(ExampleSet, CharactersAreCodePointsAndSpacesOnes) {
  const ExampleSet set =
      read_set("input,output\n\" aé\t\n語b \",😀\n", ExampleFile::csv, TokenKind::characters);
  EXPECT_EQ(set.tokens.texts(), (Texts{" ", "a", "b", "é", "語", "😀"}));
  EXPECT_EQ(set_ids(set.input(0)), (Ids{1, 3, 0, 0, 4, 2}));
  EXPECT_EQ(decode_text(set.input(0), TokenKind::characters, set.tokens), "aé  語b");
}

TEST(ExampleSet, OwnSplitsAreKept) {
  const ExampleSet set = read_set(
      "split,input,output\ntrain,1,2\n test,2,1\nvalidation,1 1,1\n\"train\",2 2,2\ntest,1,1\n");
  EXPECT_TRUE(set.own_splits);
  EXPECT_EQ(set_ids(set.examples_in(Split::train)), (Ids{0, 3}));
  EXPECT_EQ(set_ids(set.examples_in(Split::validation)), Ids{2});
  EXPECT_EQ(set_ids(set.examples_in(Split::test)), (Ids{1, 4}));
}

TEST(ExampleSet, WrittenAndReadAgain) {
  for (const TokenKind kind : {TokenKind::words, TokenKind::characters}) {
    const ExampleSet set = read_set(random_pairs(500, 7), ExampleFile::csv, kind);
    ASSERT_TRUE(csv_can_hold(set));
    EXPECT_TRUE(same_examples(set, read_set(to_csv(set), ExampleFile::csv, kind)));
    EXPECT_TRUE(same_examples(set, read_set(to_jsonl(set), ExampleFile::jsonl, kind)));
  }
}

TEST(ExampleSet, BlocksEndAnywhere) {
  const std::string text = "\xEF\xBB\xBFinput,label\r\n\"a\r\n\"\"é\",x\r\nb,y\r\n\r\n\n";
  const ExampleSet whole = read_set(text);
  EXPECT_EQ(whole.tokens.texts(), (Texts{"\"é", "a", "b"}));
  for (std::uint64_t block = 1; block <= text.size(); ++block)
    EXPECT_TRUE(same_examples(whole, read_examples(text_source(text, block), ExampleFile::csv)));
}

TEST(ExampleSet, LinesLongerThanABlock) {
  const std::string cell = std::string(60, 'x') + " ";
  std::string input;
  while (input.size() < 200'000) input += cell;
  const std::string text = "input,output\n" + input + ",1\n1," + input + "\n";
  const ExampleSet set = read_set(text);
  EXPECT_EQ(set.input(0).size(), input.size() / cell.size());
  EXPECT_TRUE(same_examples(set, read_examples(text_source(text, 1000), ExampleFile::csv)));
}

TEST(ExampleSet, ReadsAFileAndSaysHowFar) {
  const TempFolder folder;
  const std::string text = random_pairs(100'000, 3);
  write_file(folder / "x.csv", text);
  std::vector<std::uint64_t> seen;
  const ExampleSet set =
      read_examples(folder / "x.csv", {}, [&](std::uint64_t done, std::uint64_t total) {
        EXPECT_EQ(total, text.size());
        seen.push_back(done);
      });
  EXPECT_TRUE(same_examples(set, read_set(text)));
  EXPECT_GT(seen.size(), 2U);
  EXPECT_TRUE(std::ranges::is_sorted(seen));
  EXPECT_EQ(seen.back(), text.size());
}

TEST(ExampleSet, ProgressMayThrow) {
  const std::string text = random_pairs(100, 3);
  int calls = 0;
  const auto stop = [&](std::uint64_t, std::uint64_t) {
    if (++calls == 3) throw std::runtime_error("stop");
  };
  EXPECT_THROW(read_examples(text_source(text, 16), ExampleFile::csv, {}, stop),
               std::runtime_error);
  EXPECT_EQ(calls, 3);
}

}  // namespace
}  // namespace heddle
