// The example of docs/add_a_task.md: it compiles, stands there as it is compiled here, and draws
// and answers as it says.
#include <algorithm>

#include <gtest/gtest.h>

#include "docs/examples/copy.cpp"
#include "heddle/base/file.hpp"
#include "heddle/task/rules/rule_task.hpp"

namespace heddle::testing {
namespace {

const std::string kDocsFolder = std::string(HEDDLE_TEST_DATA) + "/../docs/";

TEST(AddATask, TheDocumentShowsTheFileThatIsCompiled) {
  const std::string page = read_file(kDocsFolder + "add_a_task.md"),
                    code = read_file(kDocsFolder + "examples/copy.cpp");
  EXPECT_NE(page.find("```cpp\n" + code + "```\n"), std::string::npos);
}

TEST(AddATask, TheExampleIsATask) {
  Config config = default_config(TaskKind::reverse);  // whose settings it shares
  config.train.batch = 50;
  const RuleTask task(config, copy_rule(config.task));
  Questions questions;
  task.train_questions(7, questions);
  ASSERT_EQ(questions.size(), 50);
  for (Index i = 0; i < questions.size(); ++i)
    EXPECT_TRUE(std::ranges::equal(questions[i].input, questions[i].output));
  EXPECT_EQ(task.validation().size(), RuleTask::kHeldOut);
  const std::vector<std::int32_t> input = task.parse("3 1 4 1");
  EXPECT_EQ(task.text(*task.right_answer(input)), "3 1 4 1");
}

}  // namespace
}  // namespace heddle::testing
