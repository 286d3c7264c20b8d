// What a file of examples may not hold: bytes in, one exact line out.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "heddle/base/file.hpp"
#include "heddle/task/file/example_set.hpp"
#include "tests/support/example_text.hpp"
#include "tests/support/print_json.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle {
namespace {

struct Wrong {
  std::string text;
  std::string said;  ///< without the name of the file
};

std::string said_of(std::string_view text, ExampleFile kind, std::uint64_t block,
                    TokenKind tokens = TokenKind::words) {
  ExampleOptions options;
  options.tokens = tokens;
  return message_of<FileError>([&] { read_examples(text_source(text, block), kind, options); });
}

void expect_all(const std::vector<Wrong>& table, ExampleFile kind) {
  for (const auto& [text, said] : table)
    for (const std::uint64_t block : {1U, 3U, 1U << 18U})  // wherever a block ends
      EXPECT_EQ(said_of(text, kind, block), "'f'" + said) << text;
}

std::string repeated(std::string_view piece, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += piece;
  return text;
}

const std::string kPairs = "input,output\n";

TEST(ExampleErrors, Header) {
  const std::string accepted =
      "; the first line names the columns, accepted are input, output, label, split; --columns "
      "INPUT,OUTPUT takes others";
  expect_all(
      {
          {"",
           " is empty; its first line should name the columns: input and output, or input and "
           "label"},
          {"\xEF\xBB\xBF",
           " is empty; its first line should name the columns: input and output, or "
           "input and label"},
          {"\n\r\n  \n",
           " is empty; its first line should name the columns: input and output, or "
           "input and label"},
          {kPairs, " has no example"},
          {"\n" + kPairs + "1,2\n",
           ", line 1: empty; blank lines are accepted at the end of the file only"},
          {"input\n1\n", ", line 1: no column 'output' and none 'label'"},
          {"output,split\n1,test\n", ", line 1: no column 'input'"},
          {"input,output,weight\n1,1,1\n", ", line 1: unknown column 'weight'" + accepted},
          {"1 2 3,3 2 1\n", ", line 1: unknown column '1 2 3'" + accepted},
          {"inputs;output\n1;2\n", ", line 1: unknown column 'inputs'" + accepted},
          {"Input,INPUT\n1,2\n", ", line 1: the column 'INPUT' comes twice"},
          {"input,output\r1,2\r",
           ", line 1: a carriage return inside the line; lines end with LF or CRLF"},
          {"input,output,\n1,2,\n", ", line 1: unknown column ''" + accepted},
          {repeated("x", 100) + "\n",
           ", line 1: unknown column '" + repeated("x", 40) + "…'" + accepted},
          {"input,output,input\n1,2,3\n", ", line 1: the column 'input' comes twice"},
          {"input,output,label\n1,2,3\n",
           ", line 1: both a column 'output' and a column 'label'; examples have one of them"},
      },
      ExampleFile::csv);
}

TEST(ExampleErrors, CsvRecords) {
  expect_all(
      {
          {kPairs + "1 2\n", ", line 2: 1 cell where the header has 2"},
          {kPairs + "1,2\n7", ", line 3: 1 cell where the header has 2"},
          {kPairs + "1,2\n1,2,3\n",
           ", line 3: 3 cells where the header has 2; a cell with a separator needs quotes"},
          {kPairs + "1,2\n\n\n3,4\n",
           ", line 3: empty; blank lines are accepted at the end of the file only"},
          {kPairs + ",2\n", ", line 2: empty input"},
          {kPairs + "\"\",2\n", ", line 2: empty input"},
          {kPairs + "1, \t \n", ", line 2: empty output"},
          {"input,label\n1,\n", ", line 2: empty label"},
          {kPairs + "1,\"2\n1,2\n", ", line 2: a quote is opened and never closed"},
          {kPairs + "1,2\n\"a\nb\"c,2\n", ", line 3: text after a closing quote: 'c,2'"},
          {kPairs + "\"a\" ,2\n", ", line 2: text after a closing quote: ' ,2'"},
          {kPairs + "5\" nail,2\n",
           ", line 2: a quote inside the unquoted cell '5\" nail'; put the cell in quotes and "
           "double "
           "the quote"},
          {kPairs + "1, \"2\"\n",
           ", line 2: a quote inside the unquoted cell ' \"2\"'; put the cell in quotes and double "
           "the "
           "quote"},
          {kPairs + "1\r2,2\n",
           ", line 2: a carriage return inside the line; lines end with LF or CRLF"},
          {kPairs + "1\r2,\"2\"\n",
           ", line 2: a carriage return inside the line; lines end with LF or CRLF"},
          {"input,output,split\n1,2,dev\n",
           ", line 2: unknown split 'dev'; accepted are train, validation, test"},
          {"input,output,split\n1,2,\n",
           ", line 2: unknown split ''; accepted are train, validation, test"},
      },
      ExampleFile::csv);
}

TEST(ExampleErrors, Bytes) {
  expect_all(
      {
          {"\xFF\xFEi\0n\0" + std::string("p"), " is UTF-16 text; save it as UTF-8"},
          {std::string("\xFE\xFF\0i", 4), " is UTF-16 text; save it as UTF-8"},
          {std::string("i\0n\0p\0", 6), ", line 1: byte 2 is NUL; the file must be UTF-8 text"},
          {kPairs + "1" + std::string(1, '\0') + "2,2\n",
           ", line 2: byte 2 is NUL; the file must be UTF-8 text"},
          {kPairs + "1,2\n1," + std::string(1, '\0') + "\n",
           ", line 3: byte 3 is NUL; the file must be UTF-8 text"},
          {kPairs + "é\xFF,2\n", ", line 2: byte 3 is not UTF-8: '\\xff,2'"},
          {kPairs + "1,\xC3\n", ", line 2: byte 3 is not UTF-8: '\\xc3'"},
          {kPairs + "1,\xED\xA0\x80\n", ", line 2: byte 3 is not UTF-8: '\\xed\\xa0\\x80'"},
          {kPairs + "\"1\n\x80\",2\n", ", line 3: byte 1 is not UTF-8: '\\x80\",2'"},
          {kPairs + "a\x1B[1m,2\n", ", line 2: a control character in the token 'a\\x1b[1m'"},
          {"input,label\n1,a\x7F\n", ", line 2: a control character in the label 'a\\x7f'"},
      },
      ExampleFile::csv);
}

TEST(ExampleErrors, Limits) {
  const auto said = [](const std::string& text) {
    return said_of(text, ExampleFile::csv, 1U << 18U);
  };
  const std::string longest = repeated("7 ", 4096);
  EXPECT_EQ(said(kPairs + "7,1\n" + longest + ",1\n"), "no error");
  EXPECT_EQ(said(kPairs + "7,1\n" + longest + "7,1\n"),
            "'f', line 3: the input has more than 4,096 tokens");
  EXPECT_EQ(said(kPairs + "7,1\n1," + longest + "7\n"),
            "'f', line 3: the output has more than 4,096 tokens");
  EXPECT_EQ(said(kPairs + "1," + std::string(64, 'x') + "\n"), "no error");
  EXPECT_EQ(said(kPairs + "1,2\n" + std::string(65, 'x') + ",2\n"),
            "'f', line 3: the token '" + std::string(40, 'x') +
                "…' has 65 bytes; at most 64 are accepted");
  EXPECT_EQ(said("input,label\n1,2\n1," + std::string(65, 'x') + "\n"),
            "'f', line 3: the label '" + std::string(40, 'x') +
                "…' has 65 bytes; at most 64 are accepted");
  const std::string million(1'048'576 - 3, ' ');
  EXPECT_EQ(said(kPairs + "1,2" + million + "\r\n"), "no error");
  EXPECT_EQ(said(kPairs + "1,2" + million), "no error");
  EXPECT_EQ(said_of(kPairs + "1," + million + "2\r\n1,2\n", ExampleFile::csv, 1), "no error");
  for (const char* end : {"", "\n", "\r\n", "\n1,2\n"})
    EXPECT_EQ(said(kPairs + "1,22" + million + end),
              "'f', line 2: longer than 1,048,576 bytes, the most that a line may have");
  EXPECT_EQ(said(kPairs + "1,\"" + repeated("2\n", 600'000) + "\"\n"),
            "'f', line 2: a quote is opened and not closed within 1,048,576 bytes");
}

TEST(ExampleErrors, TooManyDifferent) {
  std::string tokens = kPairs;
  std::string labels = "input,label\n";
  for (int i = 0; i < 65536; ++i) tokens += std::to_string(i) + ",0\n";
  for (int i = 0; i < 4096; ++i) labels += "0," + std::to_string(i) + "\n";
  const auto said = [](const std::string& text) {
    return said_of(text, ExampleFile::csv, 1U << 18U);
  };
  EXPECT_EQ(said(tokens), "no error");
  EXPECT_EQ(said(tokens + "7,65536\n"),
            "'f', line 65538: the token '65536' is one too many: at most 65,536 different ones are "
            "accepted");
  EXPECT_EQ(said(labels), "no error");
  EXPECT_EQ(
      said(labels + "1,one more\n"),
      "'f', line 4098: the label 'one more' is one too many: at most 4,096 different ones are "
      "accepted");
}

TEST(ExampleErrors, NothingToLearn) {
  expect_all(
      {
          {"input,label\n1,yes\n2, yes \n",
           ": every example has the label 'yes'; at least two labels are needed"},
          {"input,output,split\n1,2,test\n", " has no example whose split is train"},
          {"input,output,split\n1,2,train\n2,1 3,test\n",
           ", line 3: no training example has the token '3'"},
          {"input,output,split\n2,x,validation\n1,2,train\n",
           ", line 2: no training example has the token 'x'"},
          {"input,label,split\n1,a,train\n1,b,train\n1,c,validation\n",
           ", line 4: no training example has the label 'c'"},
      },
      ExampleFile::csv);
}

TEST(ExampleErrors, Json) {
  const std::string such =
      " where an object is expected, such as {\"input\": \"1 2\", \"output\": "
      "\"2 1\"}";
  const std::string good = R"({"input": "1", "output": "2"})"
                           "\n";
  const std::string either = "; accepted is a text or a list of texts and whole numbers";
  expect_all(
      {
          {"", " has no example"},
          {"input,output\n1,2\n", ", line 1: not JSON at byte 1: 'input,output'"},
          {R"({"input": "1", "output": "2")", ", line 1: not JSON: the line ends too early"},
          {good + "{\n\"input\": 1}\n", ", line 2: not JSON: the line ends too early"},
          {good + R"({"input": 'a'})", ", line 2: not JSON at byte 11: ''a'}'"},
          {good + R"({"input": "1", "output": "2"} {)", ", line 2: not JSON at byte 31: '{'"},
          {R"({"input": "\ud800", "output": "2"})",
           R"(, line 1: not JSON at byte 18: '", "output": "2"}')"},
          {good + "\n" + good,
           ", line 2: empty; blank lines are accepted at the end of the file only"},
          {"[1, 2]", ", line 1: found a list" + such},
          {"\"text\"", ", line 1: found 'text'" + such},
          {"12", ", line 1: found 12" + such},
          {"null", ", line 1: found null" + such},
          {R"({"output": "2"})", ", line 1: no 'input'"},
          {"{}", ", line 1: no 'input'"},
          {R"({"input": "2"})", ", line 1: no 'output' and no 'label'"},
          {R"({"input": "1", "output": "2", "label": 3})",
           ", line 1: both 'output' and 'label'; an example has one of them"},
          {R"({"input": "1", "weight": 2})",
           ", line 1: unknown key 'weight'; accepted are input, output, label, split"},
          {R"({"input": "1", "input": "2"})", ", line 1: the key 'input' comes twice"},
          {R"({"label": 1, "label": 1})", ", line 1: the key 'label' comes twice"},
          {R"({"input": 1, "output": "2"})", ", line 1: 'input' is 1" + either},
          {R"({"input": "1", "output": null})", ", line 1: 'output' is null" + either},
          {R"({"input": true})", ", line 1: 'input' is true" + either},
          {R"({"input": 1.5})", ", line 1: 'input' is '1.5'" + either},
          {R"({"input": {"text": "1"}})", ", line 1: 'input' is an object" + either},
          {R"({"input": [1, [2]]})",
           ", line 1: a list in the list of 'input'; accepted are texts and whole numbers"},
          {R"({"input": [{}]})",
           ", line 1: an object in the list of 'input'; accepted are texts and whole numbers"},
          {R"({"output": [1, 1.5]})",
           ", line 1: '1.5' in the list of 'output'; accepted are texts and whole numbers"},
          {R"({"output": [99999999999999999999]})",
           ", line 1: '99999999999999999999' in the list of 'output'; accepted are texts and whole "
           "numbers"},
          {R"({"output": [1e999]})",
           ", line 1: '1e999' in the list of 'output'; accepted are texts and whole numbers"},
          {R"({"output": [false]})",
           ", line 1: false in the list of 'output'; accepted are texts and whole numbers"},
          {R"({"label": ["a"]})",
           ", line 1: 'label' is a list; accepted is a text, a whole number, true or false"},
          {R"({"label": 0.5})",
           ", line 1: 'label' is '0.5'; accepted is a text, a whole number, true or false"},
          {R"({"split": 1})", ", line 1: 'split' is 1; accepted are train, validation, test"},
          {R"({"split": true})", ", line 1: 'split' is true; accepted are train, validation, test"},
          {R"({"input": "1", "output": "2", "split": "Train"})",
           ", line 1: unknown split 'Train'; accepted are train, validation, test"},
          {good + R"({"input": "1", "label": "2"})",
           ", line 2: 'label' where line 1 has 'output'; all examples have the same"},
          {R"({"input": "1", "label": "2"})"
           "\n" +
               good,
           ", line 2: 'output' where line 1 has 'label'; all examples have the same"},
          {good + R"({"input": "1", "output": "2", "split": "test"})",
           ", line 2: a 'split' where line 1 has none; all examples have it, or none"},
          {R"({"input": "1", "output": "2", "split": "test"})"
           "\n" +
               good,
           ", line 2: no 'split' where line 1 has one; all examples have it, or none"},
          {R"({"input": [], "output": "2"})", ", line 1: empty input"},
          {R"({"input": "1", "output": [""]})", ", line 1: an empty token"},
          {R"({"input": ["a b"], "output": "2"})", ", line 1: white space in the token 'a b'"},
          {R"({"input": [" "], "output": "2"})", ", line 1: white space in the token ' '"},
          {R"({"input": "a\u0000", "output": "2"})",
           ", line 1: a control character in the token 'a\\x00'"},
          {R"({"input": "1", "label": "\u0007"})",
           ", line 1: a control character in the label '\\x07'"},
          {R"({"input": "1", "label": " "})", ", line 1: empty label"},
      },
      ExampleFile::jsonl);
}

TEST(ExampleErrors, SpacesAreTokensOfCharactersOnly) {
  const auto said = [](std::string_view text) {
    return said_of(text, ExampleFile::jsonl, 1U << 18U, TokenKind::characters);
  };
  EXPECT_EQ(said(R"({"input": [" ", "a"], "output": "2"})"), "no error");
  EXPECT_EQ(said(R"({"input": ["  "], "output": "2"})"),
            "'f', line 1: white space in the token '  '");
  EXPECT_EQ(said(R"({"input": ["\t"], "output": "2"})"),
            "'f', line 1: white space in the token '\\x09'");
  EXPECT_EQ(said(R"({"input": "  ", "output": "2"})"), "'f', line 1: empty input");
}

TEST(ExampleErrors, NestingHowEverDeep) {
  const std::string deep = "{\"input\": " + std::string(500'000, '[');
  EXPECT_EQ(said_of(deep, ExampleFile::jsonl, 1U << 18U),
            "'f', line 1: a list in the list of 'input'; accepted are texts and whole numbers");
}

TEST(ExampleErrors, FilesThatCannotBeRead) {
  const TempFolder folder;
  const auto said = [&](const std::string& path) {
    return message_of<Error>([&] { read_examples(path); });
  };
  make_folder(folder / "folder.csv");
  EXPECT_EQ(said(folder / "folder.csv"),
            "cannot read '" + (folder / "folder.csv") + "': Is a directory");
  EXPECT_EQ(said(folder / "none.jsonl"),
            "cannot read '" + (folder / "none.jsonl") + "': No such file or directory");
  write_file(folder / "pairs.csv", "input,output\n1\n");
  EXPECT_EQ(said(folder / "pairs.csv"),
            "'" + (folder / "pairs.csv") + "', line 2: 1 cell where the header has 2");
  std::string accepted;
  for (const std::string_view kind : names_of(ExampleFile{}))
    accepted += fmt::format("{}.{}", accepted.empty() ? "" : ", ", kind);
  for (const std::string name : {"pairs.txt", "pairs", "pairs.CSV", "pairs.json", "pairs.csv.gz"})
    EXPECT_EQ(
        message_of<UsageError>([&] { read_examples(name); }),
        "'" + name + "' is no kind of file that examples are read from; accepted are " + accepted);
}

TEST(ExampleErrors, AFileThatFindsNoRoomIsRefusedSoon) {
  constexpr std::uint64_t kClaimed = std::uint64_t{1} << 50U;  // of a real one a sixtieth would do
  std::uint64_t given = 0;
  ByteSource source{.path = "f", .size = kClaimed, .read = {}};
  source.read = [&](std::span<std::byte> bytes) {
    constexpr std::string_view kLine = "{\"input\": \"1 2 3\", \"output\": \"3\"}\n";
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(kLine[given++ % kLine.size()]);
  };
  const std::string said =
      message_of<FileError>([&] { read_examples(std::move(source), ExampleFile::jsonl); });
  EXPECT_TRUE(said.starts_with("'f' needs ") && said.ends_with(" are to be had")) << said;
  EXPECT_LT(given, std::uint64_t{32} << 20U);
}

TEST(ExampleErrors, OptionsOutOfRange) {
  const auto said = [&](double validation, double test, Index most) {
    ExampleOptions options;
    options.validation_share = validation;
    options.test_share = test;
    options.most_held_out = most;
    return message_of<UsageError>(
        [&] { read_examples(text_source("input,output\n1,2\n"), ExampleFile::csv, options); });
  };
  EXPECT_EQ(said(0, 0, 0), "no error");
  EXPECT_EQ(
      said(0.5, 0.5, 9),
      "0.5 of the examples for validation and 0.5 for test: shares are at least 0 and below 1 "
      "together");
  EXPECT_EQ(
      said(-0.5, 0.25, 9),
      "-0.5 of the examples for validation and 0.25 for test: shares are at least 0 and below 1 "
      "together");
  EXPECT_EQ(said(0, 0, -1), "at most -1 held-out examples: 0 or more are needed");
}

}  // namespace
}  // namespace heddle
