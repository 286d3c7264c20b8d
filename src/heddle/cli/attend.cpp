// heddle attend: the attention of one input, on the terminal or as a figure.
#include <algorithm>
#include <array>
#include <cmath>

#include <nlohmann/json.hpp>

#include "heddle/base/fields.hpp"
#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/cli/commands.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/lens/answer.hpp"
#include "heddle/record/json.hpp"
#include "heddle/record/tree.hpp"
#include "heddle/report/attention.hpp"
#include "heddle/report/figures.hpp"
#include "heddle/task/encoding.hpp"

namespace heddle::cli {
namespace {

constexpr std::int64_t kMostHeads = 1024;

std::vector<std::string> texts(const std::vector<std::int32_t>& tokens) {
  std::vector<std::string> all;
  for (const std::int32_t token : tokens) all.emplace_back(token_text(token));
  return all;
}

AttentionPicture picture_of(const Answer& answer) {
  AttentionPicture picture;
  picture.name = answer.input;
  picture.output = answer.output;
  picture.expected = answer.expected;
  picture.source = texts(answer.source);
  picture.target = texts(answer.target);
  for (const AttentionMap& map : answer.attention)
    picture.modules.push_back({.module = map.module,
                               .heads = map.heads,
                               .queries = map.queries,
                               .keys = map.keys,
                               .weights = {map.weights.begin(), map.weights.end()}});
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

std::string block(double weight) {
  constexpr std::array<const char*, 5> kShades{"  ", "░░", "▒▒", "▓▓", "██"};
  if (!std::isfinite(weight)) return " ·";
  return kShades[static_cast<std::size_t>(std::clamp(std::lround(weight * 4), 0L, 4L))];
}

/// Heads of a module side by side, two letters a cell.
std::string module_text(const MemberRecord& member, const AttentionPicture& picture,
                        const AttentionGrid& grid) {
  std::vector<report::Map> maps;
  for (std::int64_t head = 0; head < grid.heads; ++head)
    maps.push_back(report::head_map(member, picture, grid, head));
  if (maps.empty()) return "";
  const std::size_t across = maps[0].columns.size(), gap = 6;
  std::string text = "\n     ";
  for (const report::Map& map : maps)
    text += fmt::format("{:<{}}", map.title, std::max(2 * across + gap, map.title.size() + 1));
  text.erase(text.find_last_not_of(' ') + 1);
  const auto pad = [&](const report::Map& map) {
    return std::string(std::max(2 * across + gap, map.title.size() + 1) - 2 * across, ' ');
  };
  for (std::size_t row = 0; row < maps[0].rows.size(); ++row) {
    text += fmt::format("\n{:>4} ", maps[0].rows[row]);
    for (const report::Map& map : maps) {
      for (std::size_t column = 0; column < across; ++column)
        text += block(map.values[row * across + column]);
      text += pad(map);
    }
    text.erase(text.find_last_not_of(' ') + 1);
  }
  text += "\n     ";
  for (const report::Map& map : maps) {
    for (const std::string& token : map.columns)
      text += fmt::format("{:<2}", token.size() > 2 ? token.substr(0, 1) : token);
    text += pad(map);
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::string picture_text(const MemberRecord& member, const AttentionPicture& picture) {
  std::string text = fmt::format(
      "{} = {}   {}\n", picture.name, picture.output,
      picture.output == picture.expected ? "right" : "wrong: it is " + picture.expected);
  for (const AttentionGrid& grid : picture.modules) text += module_text(member, picture, grid);
  return text +
         "\nrows: query, columns: key; darker is more (░ ▒ ▓ █ from an eighth on), · masked\n";
}

std::string figure_of(const MemberRecord& member, const AttentionPicture& picture) {
  return picture.modules.size() == 1 ? report::attention_module(member, picture, picture.modules[0])
                                     : report::attention_model(member, picture);
}

int run_attend(const Arguments& arguments, Console& console) {
  const std::string& run = run_folder(arguments);
  const Member member = load_member(run);
  const Problem problem =
      parse_problem(arguments.positional(1), static_cast<int>(member.config.task.digits));
  const auto head = arguments.number("--head", 0, kMostHeads);
  label_defect(member.config, console);
  Team team(1);  // one question is little work
  AttentionPicture picture = picture_of(answer_problem(member, problem, team));
  if (const auto module = arguments.value("--module")) keep_module(picture, *module);
  if (head) keep_head(picture, *head);
  MemberRecord shown;
  shown.recipe = run;
  shown.seed = static_cast<std::uint64_t>(member.config.seed);
  const auto out = arguments.value("--out");
  if (out) write_file(*out, figure_of(shown, picture));
  if (arguments.json()) {
    console.result(json_line(
        {{"run", run}, {"picture", to_tree(picture)}, {"out", out ? Json(*out) : Json()}}));
  } else if (out) {
    console.result(fmt::format("{}: {} = {}\n", *out, picture.name, picture.output));
  } else {
    console.result(picture_text(shown, picture));
  }
  return 0;
}

}  // namespace

Command attend_command() {
  return {
      .name = "attend",
      .summary = "Shows what every head attends to on one input.",
      .positionals = {{.name = "RUN", .help = "the folder that train wrote"},
                      {.name = "INPUT", .help = "the question: \"374+814\""}},
      .flags = {{.name = "--module", .value = "M", .help = "only this attention: encoder.0.self"},
                {.name = "--head",
                 .value = "H",
                 .help = "only this head of each module, counted from 0"},
                {.name = "--out",
                 .value = "FILE",
                 .help = "the .svg file to write, instead of text"}},
      .examples = {"attend run \"374+814\"",
                   "attend run 374+814 --module decoder.0.cross --out cross.svg"},
      .run = run_attend};
}

}  // namespace heddle::cli
