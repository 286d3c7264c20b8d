// heddle attend: the attention of one input, on the terminal or as a figure.
#include <algorithm>
#include <cmath>
#include <limits>

#include "heddle/base/fields.hpp"
#include "heddle/base/text.hpp"
#include "heddle/cli/commands.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/cli/text/answer_text.hpp"
#include "heddle/cli/text/attend_text.hpp"
#include "heddle/cli/text/example_text.hpp"
#include "heddle/cli/text/figure_file.hpp"
#include "heddle/lens/answer.hpp"
#include "heddle/lens/open_task.hpp"
#include "heddle/record/json.hpp"
#include "heddle/record/tree.hpp"
#include "heddle/report/parts/attention.hpp"

namespace heddle::cli {
namespace {

constexpr std::int64_t kMostHeads = 1024;

/// What cannot be looked at is no number.
AttentionGrid grid_of(const AttentionMap& map) {
  AttentionGrid grid{.module = map.module,
                     .heads = map.heads,
                     .queries = map.queries,
                     .keys = map.keys,
                     .weights = {map.weights.begin(), map.weights.end()}};
  for (std::size_t i = 0; i < map.masked.size(); ++i)
    if (map.masked[i] != 0) grid.weights[i] = std::numeric_limits<double>::quiet_NaN();
  return grid;
}

AttentionPicture masked_picture(const Answer& answer) {
  AttentionPicture picture;
  picture.name = answer.input;
  picture.output = answer.output;
  picture.expected = answer.expected;
  picture.source = answer.source_texts;
  picture.target = answer.target_texts;
  for (const AttentionMap& map : answer.seen.attention) picture.modules.push_back(grid_of(map));
  return picture;
}

/// Only the module that is asked for.
void keep_module(AttentionPicture& picture, const std::string& wanted) {
  std::vector<std::string> names;
  for (const AttentionGrid& grid : picture.modules) names.push_back(grid.module);
  const bool known = std::ranges::find(names, wanted) != names.end();
  const std::string near = known ? "" : did_you_mean(wanted, names);
  check<UsageError>(known, "--module {}: there is no such module{}", quote(wanted),
                    near.empty() ? "; accepted is " + join(names, ", ") : near);
  std::erase_if(picture.modules, [&](const AttentionGrid& grid) { return grid.module != wanted; });
}

/// Only the head that is asked for, as a module of one head; its number stays known.
void keep_head(AttentionPicture& picture, std::int64_t head) {
  for (AttentionGrid& grid : picture.modules) {
    check<UsageError>(head < grid.heads, "--head {}: {} has heads 0 to {}", head, grid.module,
                      grid.heads - 1);
    const auto size = grid.queries * grid.keys;
    grid.weights.erase(grid.weights.begin() + (head + 1) * size, grid.weights.end());
    grid.weights.erase(grid.weights.begin(), grid.weights.begin() + head * size);
    grid.heads = 1;
    grid.module += fmt::format(".head.{}", head);
  }
}

std::string figure_of(const MemberRecord& member, const AttentionPicture& picture) {
  return picture.modules.size() == 1 ? report::attention_module(member, picture, picture.modules[0])
                                     : report::attention_model(member, picture);
}

/// Weights of 0 where a head cannot look, and nothing where the right answer is not known.
Json picture_json(AttentionPicture picture, const Answer& answer) {
  for (AttentionGrid& grid : picture.modules)
    for (double& weight : grid.weights)
      if (!std::isfinite(weight)) weight = 0;
  Json json = to_tree(picture);
  if (!answer.known) json["expected"] = Json();
  return json;
}

int run_attend(const Arguments& arguments, Console& console) {
  constexpr std::size_t kTerminal = 100;  // columns
  const std::string& run = run_folder(arguments);
  const auto out = arguments.value("--out");
  if (out) check_figure_path(*out);
  const Member member = load_member(run);
  const auto head = arguments.number("--head", 0, kMostHeads);
  const auto task = open_task(run, member.config, true, reading_progress(console));
  console.erase();
  check_answer_flag(arguments, *task);
  label_defect(member.config, console);
  Team team(1);  // one question is little work
  const Answer answer = answer_question(member, *task, arguments.positional(1),
                                        arguments.value("--answer").value_or(""), team);
  AttentionPicture picture = masked_picture(answer);
  if (const auto module = arguments.value("--module")) keep_module(picture, *module);
  if (head) keep_head(picture, *head);
  MemberRecord shown;
  shown.recipe = run;
  shown.seed = static_cast<std::uint64_t>(member.config.seed);
  if (out) write_figure(*out, figure_of(shown, picture));
  if (arguments.json()) {
    console.result(json_line({{"run", run},
                              {"picture", picture_json(picture, answer)},
                              {"out", out ? Json(*out) : Json()}}));
  } else if (out) {
    console.result(fmt::format("{}: {} {} {}\n", *out, picture.name, task->traits().answer_sign,
                               picture.output));
  } else {
    console.result(answer_line(*task, answer) + maps_text(shown, picture, kTerminal) +
                   "\nrows: query, columns: key; darker is more (░ ▒ ▓ █ from an eighth on), · "
                   "masked\n");
  }
  return 0;
}

}  // namespace

Command attend_command() {
  return {
      .name = "attend",
      .summary = "Shows what every head attends to on one input.",
      .positionals = {{.name = "RUN", .help = "the folder that train wrote"},
                      {.name = "INPUT",
                       .help = R"(the question: "374+814", "3 5 5 9" for a sorter, or words)"}},
      .flags = {kAnswerFlag,
                {.name = "--module", .value = "M", .help = "only this attention: encoder.0.self"},
                {.name = "--head",
                 .value = "H",
                 .help = "only this head of each module, counted from 0"},
                {.name = "--out",
                 .value = "FILE",
                 .help = "the figure to write instead of text: an .svg file, or a .png (drawn by "
                         "rsvg-convert)"}},
      .examples = {"attend run \"374+814\"",
                   "attend run 374+814 --module decoder.0.cross --out cross.svg",
                   "attend sorter \"3 5 5 9\" --module encoder.0.self"},
      .run = run_attend};
}

}  // namespace heddle::cli
