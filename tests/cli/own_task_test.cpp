// The five commands of docs/own_task.md, run as they stand there: from a CSV file to a report.
#include <sstream>

#include <gtest/gtest.h>

#include "heddle/base/json.hpp"
#include "heddle/report/check/consistency.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/print_json.hpp"

namespace heddle {
namespace {

using Tree = heddle::Json;

const std::string kDocs = std::string(HEDDLE_TEST_DATA) + "/../docs/";
constexpr double kFloor = 0.98;    // of greedy answers
constexpr double kPromise = 0.01;  // the document's --max-drop
// What a sample of 2,000 may add to it: three deviations of a difference of which 3 % of the
// questions differ, 3 √(0.03 / 2000).
constexpr double kSample = 0.012;

/// The lines of the document's one block of shell commands.
std::vector<std::string> commands_in(const std::string& document) {
  std::vector<std::string> lines;
  std::istringstream text(document);
  std::string line;
  bool inside = false;
  while (std::getline(text, line)) {
    if (line.starts_with("```")) {
      inside = line == "```sh";
    } else if (inside) {
      lines.push_back(line);
    }
  }
  return lines;
}

/// Runs a line in the folder as a shell does, with this build's program for `heddle`.
Outcome shell(const std::string& folder, const std::string& line) {
  const std::string program = HEDDLE_PROGRAM;
  std::string command = line;
  if (const std::size_t at = command.find("docs/examples/"); at != std::string::npos)
    command.replace(at, 5, kDocs);
  const std::string call = "cd '" + folder + "' && PATH='" + program.substr(0, program.rfind('/')) +
                           "':\"$PATH\" && ( " + command + " ) >out 2>err";
  const int status = std::system(call.c_str());  // NOLINT(cert-env33-c): a shell is what is meant
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, file_bytes(folder + "/out"),
          file_bytes(folder + "/err")};
}

/// One folder, one training, and what the commands left in it.
class OwnTask {
 public:
  OwnTask() {
    for (const std::string& line : commands_in(file_bytes(kDocs + "own_task.md"))) {
      lines.push_back(line);
      outcomes.push_back(shell(folder.path(), line));
      if (outcomes.back().code != 0) break;
    }
  }
  std::string bytes(const std::string& path) const { return file_bytes(folder / path); }
  Tree json(const std::string& path) const { return Tree::parse(bytes(path)); }

  TempFolder folder;
  std::vector<std::string> lines;
  std::vector<Outcome> outcomes;
};

double share(const Tree& count) {
  return count.at("correct").get<double>() / count.at("total").get<double>();
}

void all_succeed(const OwnTask& task) {
  const std::vector<std::string> begins{"python3 docs/examples/dates.py",
                                        "heddle train file:",
                                        "heddle eval ",
                                        "heddle ablate ",
                                        "heddle prune ",
                                        "heddle report "};
  for (std::size_t i = 0; i < task.lines.size(); ++i)
    ASSERT_EQ(task.outcomes[i].code, 0) << task.lines[i] << "\n" << task.outcomes[i].err;
  ASSERT_EQ(task.lines.size(), begins.size());
  for (std::size_t i = 0; i < begins.size(); ++i)
    EXPECT_TRUE(task.lines[i].starts_with(begins[i])) << task.lines[i];
  const std::string csv = task.bytes("dates.csv");
  EXPECT_EQ(std::ranges::count(csv, '\n'), 50'001);  // and the names of the columns
}

void is_learned(const OwnTask& task) {
  const Tree score = task.json("dates/lens/score.json");
  const Tree& greedy = score.at("whole").at(0);
  ASSERT_EQ(greedy.at("name"), "greedy");
  EXPECT_EQ(greedy.at("count").at("total"), 2000);
  EXPECT_GE(share(greedy.at("count")), kFloor);
  EXPECT_EQ(score.at("whole").at(1).at("count"), greedy.at("count"));  // teacher-forced
  EXPECT_EQ(score.at("disagreements"), 0);
}

/// On the questions that choose the heads the promise is exact, on others as far as a sample tells.
void keeps_its_promise(const OwnTask& task) {
  const Tree points = task.json("dates/lens/pruning.json").at("curve").at("points");
  ASSERT_GE(points.size(), 2U);
  EXPECT_LE(share(points.front().at("chosen_on")) - share(points.back().at("chosen_on")),
            kPromise + 1e-12);
  EXPECT_LE(share(points.front().at("scored")) - share(points.back().at("scored")),
            kPromise + kSample);
  const Outcome smaller = shell(task.folder.path(), "heddle eval smaller --json");
  ASSERT_EQ(smaller.code, 0) << smaller.err;
  const Tree again = Tree::parse(smaller.out);
  EXPECT_EQ(share(again.at("greedy")), share(points.back().at("scored")));
  EXPECT_EQ(again.at("greedy").at("correct"), again.at("teacher_forced").at("correct"));
}

void has_a_true_page(const OwnTask& task) {
  const std::string page = task.bytes("dates/index.html");
  ASSERT_FALSE(page.empty());
  for (const char* fetched : {"https:", "src=\"http", "href=\"http", "url(http", "@import"})
    EXPECT_EQ(page.find(fetched), std::string::npos) << fetched;
  const Tree results = task.json("dates/results.json");
  EXPECT_EQ(report::check_page(page, results), std::vector<std::string>{});
  EXPECT_EQ(report::check_markdown(task.bytes("dates/report.md"), page),
            std::vector<std::string>{});
  ASSERT_EQ(results.at("missing").size(), 1U) << results.at("missing").dump();
  EXPECT_EQ(results.at("missing").at(0).at("command"), "heddle specialise RUN");
  for (const char* id : {"score", "attention", "ablation", "pruning"})
    EXPECT_NE(page.find("<section id=\"" + std::string(id)), std::string::npos) << id;
  const std::string first = task.bytes("dates/results.json");
  ASSERT_EQ(heddle_call({"report", task.folder / "dates"}).code, 0);
  EXPECT_EQ(task.bytes("dates/results.json"), first);
  EXPECT_EQ(task.bytes("dates/index.html"), page);
  EXPECT_EQ(heddle_call({"report", task.folder / "dates", "--check"}).code, 0);
}

/// One case, so that it trains once.
TEST(SlowOwnTask, TheCommandsOfTheDocument) {
  const OwnTask task;
  ASSERT_NO_FATAL_FAILURE(all_succeed(task));
  is_learned(task);
  keeps_its_promise(task);
  has_a_true_page(task);
}

}  // namespace
}  // namespace heddle
