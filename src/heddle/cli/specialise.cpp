// heddle specialise: what every head attends to, and the role that the rules give it.
#include <algorithm>
#include <array>
#include <functional>

#include "heddle/base/text.hpp"
#include "heddle/cli/commands.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/cli/text/example_text.hpp"
#include "heddle/cli/text/keep.hpp"
#include "heddle/cli/text/progress_view.hpp"
#include "heddle/lens/addition/column_roles.hpp"
#include "heddle/lens/asked.hpp"
#include "heddle/lens/open_task.hpp"
#include "heddle/lens/specialise/words.hpp"
#include "heddle/record/json.hpp"
#include "heddle/record/tree.hpp"
#include "heddle/task/addition/words.hpp"

namespace heddle::cli {
namespace {

constexpr std::int64_t kMostProblems = 1'000'000'000;
constexpr Index kQuestions = 2000;  // of any other task than addition

/// The measures that have a column; --json has all.
constexpr std::array<std::string_view, 15> kShown{"entropy",
                                                  "gini",
                                                  "operator",
                                                  "aligned",
                                                  "column",
                                                  "carry_column",
                                                  "deciding_column | sum 9",
                                                  "self",
                                                  "previous",
                                                  "bos",
                                                  "next",
                                                  "mirror",
                                                  "same-token",
                                                  "first",
                                                  "last"};
/// Attentions that share their measures.
struct KindOfAttention {
  std::string_view title;
  Stream queries, keys;
};
constexpr std::array<KindOfAttention, 3> kKinds{
    {{"encoder self-attention", Stream::source, Stream::source},
     {"decoder self-attention", Stream::target, Stream::target},
     {"cross-attention", Stream::target, Stream::source}}};

const HeadMeasure* find_measure(const Specialisation& found, std::string_view head,
                                std::string_view measure) {
  const auto at = std::ranges::find_if(found.measures, [&](const HeadMeasure& here) {
    return here.head == head && here.measure == measure;
  });
  return at == found.measures.end() ? nullptr : &*at;
}

/// The value of a uniform head; from … to where the heads may not look at the same keys.
std::string uniform_text(const Specialisation& found, std::span<const HeadRole> heads,
                         std::string_view measure) {
  double low = 1, high = 0;
  for (const HeadRole& head : heads) {
    const HeadMeasure* here = find_measure(found, head.head, measure);
    if (here == nullptr) continue;
    low = std::min(low, here->uniform);
    high = std::max(high, here->uniform);
  }
  const std::string least = fmt::format("{:.2f}", low), most = fmt::format("{:.2f}", high);
  return least == most ? least : least + "–" + most;
}

/// The heads of one kind of attention below what a uniform head would have; they share their
/// measures.
std::string kind_text(const Specialisation& found, std::span<const HeadRole> heads,
                      std::string_view title) {
  std::vector<std::string> heading{std::string(title), "role", "by its"};
  std::vector<std::string> uniform{"a uniform head", "", ""};
  std::vector<std::string_view> measures;
  for (const std::string_view measure : kShown) {
    const bool there = std::ranges::any_of(heads, [&](const HeadRole& head) {
      return find_measure(found, head.head, measure) != nullptr;
    });
    if (!there) continue;
    measures.push_back(measure);
    heading.emplace_back(measure);
    uniform.push_back(uniform_text(found, heads, measure));
  }
  Table table("llr" + std::string(measures.size(), 'r'));
  table.add(std::move(heading));
  table.add(std::move(uniform));
  for (const HeadRole& head : heads) {
    std::vector<std::string> row{
        head.head, head.role,
        fmt::format("{} {:>5.2f}", head.by_entropy() ? "entropy" : "excess", head.score)};
    for (const std::string_view measure : measures) {
      const HeadMeasure* here = find_measure(found, head.head, measure);
      row.push_back(here != nullptr ? fmt::format("{:.2f}", here->value) : "");
    }
    table.add(std::move(row));
  }
  return table.text();
}

std::string roles_text(const Specialisation& found, const Member& member) {
  std::string text = fmt::format("{} problems{}\n", format_count(found.problems),
                                 member.model->shape().labels ? "" : ", as decoded greedily");
  for (const auto& [title, queries, keys] : kKinds) {
    std::vector<HeadRole> heads;
    for (const HeadGroup& group : member.model->taps().heads())
      if (group.queries == queries && group.keys == keys)
        std::ranges::copy_if(found.roles, std::back_inserter(heads), [&](const HeadRole& head) {
          return head.head.starts_with(group.module + ".head.");
        });
    if (!heads.empty()) text += kind_text(found, heads, title) + "\n";
  }
  return text +
         "Roles come from the rules in docs/roles.md. They say where a head looks, not what it "
         "does.\n"
         "By its: excess, 1 where all of the weight is what the role says and 0 as in a uniform "
         "head;\n"
         "entropy, 0 where one key has all of the weight and 1 as in a uniform head.\n";
}

/// Columns and carries are asked for where there are some; of other tasks what any sequence has.
Specialisation look(const Arguments& arguments, const Member& member, const Task& task, Team& team,
                    Console& console) {
  const auto limit = arguments.number("--limit", 1, kMostProblems);
  ProgressView view(console, "looking", task.traits().questions);
  const auto progress = std::ref(view);
  if (!task.shape().counts_digits())
    return specialise_words(member,
                            encoded(member, some_of(task.test(), 0, limit.value_or(kQuestions))),
                            team, progress);
  const Questions test = some_of(task.test(), 0, limit.value_or(kMostProblems));
  std::vector<Problem> problems;
  for (Index i = 0; i < test.size(); ++i) problems.push_back(problem_of(test[i].input));
  return specialise_columns(member, problems, team, progress);
}

int run_specialise(const Arguments& arguments, Console& console) {
  const std::string& run = run_folder(arguments);
  const Member member = load_member(run);
  label_defect(member.config, console);
  Team team(thread_count(arguments));
  const auto task = open_task(run, member.config, false, reading_progress(console));
  console.erase();
  const Specialisation found = look(arguments, member, *task, team, console);
  console.erase();
  keep_beside(run, origin_of(member, *task), kKeptRoles, found, console);
  if (!arguments.json()) {
    console.result(roles_text(found, member));
    return 0;
  }
  Json json{{"run", run}};
  json.update(to_tree(found));
  json["defect"] = member.config.defect_note();
  console.result(json_line(json));
  return 0;
}

}  // namespace

Command specialise_command() {
  return {.name = "specialise",
          .summary = "Measures what every head attends to, and names its role.",
          .positionals = {{.name = "RUN", .help = "the folder that train wrote"}},
          .flags = {{.name = "--limit",
                     .value = "N",
                     .help = "only the first N of the run's test problems"}},
          .examples = {"specialise run", "specialise run --limit 500 --json"},
          .run = run_specialise};
}

}  // namespace heddle::cli
