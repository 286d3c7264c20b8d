// heddle capture: activations of chosen inputs, for NumPy.
#include "heddle/lens/capture.hpp"

#include <nlohmann/json.hpp>

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/cli/commands.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/record/json.hpp"
#include "heddle/task/addition.hpp"

namespace heddle::cli {
namespace {

constexpr std::int64_t kMostInputs = 1'000'000'000;

/// One problem per line; empty lines are passed over.
std::vector<Problem> read_problems(const std::string& path, int digits) {
  std::vector<Problem> problems;
  const std::string text = read_file(path);
  std::string_view left(text);
  for (std::size_t number = 1; !left.empty(); ++number) {
    std::string_view line = left.substr(0, left.find('\n'));
    left.remove_prefix(std::min(left.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    try {
      problems.push_back(parse_problem(line, digits));
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}, line {}: {}", quote_path(path), number, error.what()));
    }
  }
  return problems;
}

std::vector<Problem> problems_of(const std::string& inputs, const Config& config) {
  const auto digits = static_cast<int>(config.task.digits);
  if (inputs == "validation" || inputs == "test") {
    const Addition task(config);
    const auto split = inputs == "test" ? task.test() : task.validation();
    return {split.begin(), split.end()};
  }
  if (inputs.starts_with('@')) return read_problems(inputs.substr(1), digits);
  std::vector<Problem> problems;
  for (const std::string& text : split(inputs, ','))
    problems.push_back(parse_problem(text, digits));
  return problems;
}

std::vector<Problem> wanted_problems(const Arguments& arguments, const Config& config) {
  const std::string& inputs = arguments.positional(1);
  const auto limit = arguments.number("--limit", 1, kMostInputs);
  std::vector<Problem> problems = problems_of(inputs, config);
  check<UsageError>(!problems.empty(), "{} holds no problem", quote(inputs));
  if (limit && static_cast<std::size_t>(*limit) < problems.size())
    problems.resize(static_cast<std::size_t>(*limit));
  return problems;
}

DecodeProgress progress_on(Console& console, std::string_view what) {
  return [&console, what](Index done, Index total) {
    stop_if_interrupted();
    if (console.due())
      console.bar(static_cast<double>(done) / static_cast<double>(total),
                  fmt::format("{} {} of {}", what, format_count(done), format_count(total)));
  };
}

Json arrays_json(std::span<const CaptureArray> arrays, Index problems) {
  Json list = Json::array();
  for (const CaptureArray& array : arrays) {
    Json axes = Json::array(), shape = Json::array();
    for (std::size_t i = 0; i < array.axes.size(); ++i) {
      axes.push_back(name_of(array.axes[i]));
      shape.push_back(array.axes[i] == Axis::batch ? problems : array.shape[static_cast<int>(i)]);
    }
    list.push_back({{"name", array.name}, {"axes", axes}, {"shape", shape}});
  }
  return list;
}

int run_capture(const Arguments& arguments, Console& console) {
  const std::string& run = run_folder(arguments);
  const std::string& out = arguments.required("--out");
  const Member member = load_member(run);
  const auto arrays = find_arrays(member, arguments.values("--tap"));
  const std::vector<Problem> problems = wanted_problems(arguments, member.config);
  label_defect(member.config, console);
  Team team(thread_count(arguments));
  const Decoded decoded = decode_problems(member, problems, team, progress_on(console, "answers"));
  capture_arrays(member, decoded, arrays, out, progress_on(console, "problems"));
  console.erase();
  if (arguments.json()) {
    console.result(json_line({{"run", run},
                              {"out", out},
                              {"inputs", decoded.count},
                              {"arrays", arrays_json(arrays, decoded.count)},
                              {"defect", member.config.defect_note()}}));
  } else {
    console.result(fmt::format("{}: {} arrays of {} problems, and tokens.source, tokens.target\n",
                               out, arrays.size(), format_count(decoded.count)));
  }
  return 0;
}

}  // namespace

Command capture_command() {
  return {.name = "capture",
          .summary = "Writes activations and weights as arrays for NumPy.",
          .positionals = {{.name = "RUN", .help = "the folder that train wrote"},
                          {.name = "INPUTS",
                           .help = "\"374+814\", several with commas, @file with one per line, "
                                   "validation or test"}},
          .flags = {{.name = "--tap",
                     .value = "PATTERN",
                     .help = "what to write, as heddle taps names it; may be given again",
                     .required = true,
                     .repeats = true},
                    {.name = "--limit", .value = "N", .help = "only the first N inputs"},
                    {.name = "--out",
                     .value = "FILE",
                     .help = "the .npz file to write",
                     .required = true}},
          .examples = {"capture run 374+814,5+7 --tap \"**.pattern\" --tap logits --out acts.npz",
                       "capture run test --limit 500 --tap encoder.0.self.head.3 --out z.npz"},
          .run = run_capture};
}

}  // namespace heddle::cli
