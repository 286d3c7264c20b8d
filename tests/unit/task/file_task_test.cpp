// The task that a file brings: its words stay with the run, and another file is not taken for it.
#include "heddle/task/file/file_task.hpp"

#include <gtest/gtest.h>

#include "heddle/base/file.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle {
namespace {

using Ids = std::vector<std::int32_t>;

/// "a b,b a" for all pairs of eight letters.
std::string pairs_task(std::string_view last_output = "h h") {
  std::string text = "input,output\n";
  const std::string letters = "abcdefgh";
  for (const char a : letters)
    for (const char b : letters)
      text += a == 'h' && b == 'h' ? fmt::format("h h,{}\n", last_output)
                                   : fmt::format("{} {},{} {}\n", a, b, b, a);
  return text;
}

class FileData : public ::testing::Test {
 protected:
  TempFolder folder;
  std::string path = folder / "pairs.csv";

  Config read(const std::string& text) {
    write_file(path, text);
    Config config = default_config(TaskKind::file);
    config.task.path = path;
    config.train.batch = 8;
    read_shape(config);
    return config;
  }
};

TEST_F(FileData, TheShapeIsReadOffTheFile) {
  const Config config = read(pairs_task());
  EXPECT_EQ(config.task.form, FormKind::pairs);
  EXPECT_EQ(config.task.vocabulary, 8);
  EXPECT_EQ(config.task.longest_input, 2);
  EXPECT_EQ(config.task.longest_output, 2);
  const FileTask task(config, ReadProgress{});
  EXPECT_EQ(task.train_size() + task.validation().size() + task.test().size(), 64);
  EXPECT_GT(task.test().size(), 0);
  EXPECT_EQ(task.text(task.parse("g c")), "g c");
  EXPECT_EQ(task.answer(task.parse("g c")), task.parse("c g"));
  EXPECT_EQ(task.answer(Ids{0}), std::nullopt);
}

TEST_F(FileData, TheLexiconIsEnoughToAsk) {
  const Config config = read(pairs_task());
  const FileTask whole(config, ReadProgress{});
  const auto files = whole.files();
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].first, kLexiconFile);
  const FileTask words(config, files[0].second);
  EXPECT_EQ(words.parse("g c"), whole.parse("g c"));
  EXPECT_EQ(words.text(Ids{0, 1, 7}), whole.text(Ids{0, 1, 7}));
  EXPECT_EQ(words.test().size(), 0);
  EXPECT_THROW(words.parse("g x"), UsageError);
  EXPECT_EQ(message_of<FileError>([&] { FileTask(config, "[]"); }),
            "'lexicon.json' is cut off or no JSON; where the task's own file is, it is not needed");
  EXPECT_EQ(message_of<FileError>([&] { FileTask(config, R"({"tokens":["a"],"labels":[]})"); }),
            "lexicon.json has 1 tokens and 0 labels, and the settings say 8 and 0");
}

/// A file of another shape is refused at once; one of the same shape by the hash of its data.
TEST_F(FileData, AnotherFileIsRefused) {
  const Config config = read(pairs_task());
  const std::string hash = FileTask(config, ReadProgress{}).data_hash();
  write_file(path, pairs_task("h h h"));
  EXPECT_NE(message_of<FileError>([&] {
              FileTask(config, ReadProgress{});
            }).find("it is not the same file"),
            std::string::npos);
  write_file(path, pairs_task("h i"));
  EXPECT_NE(
      message_of<FileError>([&] { FileTask(config, ReadProgress{}); }).find("9 different tokens"),
      std::string::npos);
  write_file(path, "input,label\na,x\nb,y\nc,x\nd,y\n");
  EXPECT_NE(message_of<FileError>([&] { FileTask(config, ReadProgress{}); }).find("has labels"),
            std::string::npos);
  write_file(path, pairs_task("h g"));
  EXPECT_NE(FileTask(config, ReadProgress{}).data_hash(), hash);
}

TEST_F(FileData, LabelsHaveNamesOfTheirOwn) {
  std::string text = "input,label\n";
  for (int i = 0; i < 60; ++i)
    text += fmt::format("{} {},{}\n", i % 6, i / 6, i % 2 ? "odd" : "even");
  const Config config = read(text);
  EXPECT_EQ(config.task.form, FormKind::labels);
  EXPECT_EQ(config.task.classes, 2);
  const FileTask task(config, ReadProgress{});
  EXPECT_EQ(task.label(task.test()[0].label()),
            task.word(task.test()[0].input[0])[0] % 2 ? "odd" : "even");
  EXPECT_EQ(message_of<UsageError>([&] { (void)task.parse_output("neither"); }),
            "'neither' is no label of this task: accepted is even, odd");
}

}  // namespace
}  // namespace heddle
