// heddle capture: activations of chosen inputs, for NumPy.
#include "heddle/lens/capture.hpp"

#include "heddle/base/file.hpp"
#include "heddle/base/index.hpp"
#include "heddle/base/text.hpp"
#include "heddle/cli/commands.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/cli/text/example_text.hpp"
#include "heddle/lens/asked.hpp"
#include "heddle/lens/open_task.hpp"
#include "heddle/record/json.hpp"

namespace heddle::cli {
namespace {

constexpr std::int64_t kMostInputs = 1'000'000'000;

/// One question per line, each asked alone so that errors know their line; empty lines are passed
/// over.
std::vector<std::string> read_questions(const std::string& path, const Task& task) {
  std::vector<std::string> questions;
  const std::string text = read_file(path);
  std::string_view left(text);
  for (std::size_t number = 1; !left.empty(); ++number) {
    std::string_view line = left.substr(0, left.find('\n'));
    left.remove_prefix(std::min(left.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    questions.emplace_back(line);
    try {
      (void)task.parse(questions.back());
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}, line {}: {}", quote_path(path), number, error.what()));
    }
  }
  return questions;
}

bool is_split(const std::string& inputs) {
  return inputs == "validation" || inputs == "test";
}

Questions wanted_questions(const Arguments& arguments, const Task& task) {
  const std::string& inputs = arguments.positional(1);
  const Index limit = arguments.number("--limit", 1, kMostInputs).value_or(kMostInputs);
  if (is_split(inputs))
    return some_of(inputs == "test" ? task.test() : task.validation(), 0, limit);
  std::vector<std::string> texts = inputs.starts_with('@')
                                       ? read_questions(inputs.substr(1), task)
                                       : split(inputs, task.traits().between_inputs);
  check<UsageError>(!texts.empty(), "{} holds no problem", quote(inputs));
  if (to_size(limit) < texts.size()) texts.resize(to_size(limit));
  return asked_questions(task, texts);
}

DecodeProgress decode_progress(Console& console, std::string_view what) {
  return [&console, what](Index done, Index total) {
    stop_if_interrupted();
    if (console.due())
      console.bar(static_cast<double>(done) / static_cast<double>(total),
                  fmt::format("{} {} of {}", what, format_count(done), format_count(total)));
  };
}

/// What each token id stands for.
std::vector<std::string> words_of(const Task& task) {
  std::vector<std::string> words;
  for (std::int32_t id = 0; id < static_cast<std::int32_t>(task.shape().vocabulary()); ++id)
    words.push_back(task.token(id));
  return words;
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
  const auto patterns = arguments.values("--tap");
  (void)find_arrays(member, patterns);  // what is not there is said before a long file is read
  const bool words_only = !is_split(arguments.positional(1));
  const auto task = open_task(run, member.config, words_only, reading_progress(console));
  const EncodedQuestions questions = encoded(member, wanted_questions(arguments, *task));
  label_defect(member.config, console);
  Team team(thread_count(arguments));
  const Decoded decoded =
      decode_questions(member, questions, team, decode_progress(console, "answers"));
  const auto arrays = find_arrays(member.model->taps(), tap_shapes(member, decoded), patterns);
  capture_arrays(member, decoded, arrays, words_of(*task), out,
                 decode_progress(console, "problems"));
  console.erase();
  if (arguments.json()) {
    console.result(json_line({{"run", run},
                              {"out", out},
                              {"inputs", decoded.size()},
                              {"arrays", arrays_json(arrays, decoded.size())},
                              {"defect", member.config.defect_note()}}));
  } else {
    console.result(fmt::format(
        "{}: {} arrays of {} problems, and tokens.words, tokens.source{}{}\n", out, arrays.size(),
        format_count(decoded.size()), decoded.labels() ? "" : ", tokens.target",
        decoded.read.source_valid.empty() ? "" : ", valid.source"));
  }
  return 0;
}

}  // namespace

Command capture_command() {
  return {.name = "capture",
          .summary = "Writes activations and weights as arrays for NumPy.",
          .positionals = {{.name = "RUN", .help = "the folder that train wrote"},
                          {.name = "INPUTS",
                           .help = "\"374+814\", several with commas (other tasks: with ;), @file "
                                   "with one per line, validation or test"}},
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
                       "capture sorter \"3 5 5 9; 7 1\" --tap encoder.0.self.z --out z.npz",
                       "capture run test --limit 500 --tap encoder.0.self.head.3 --out z.npz"},
          .run = run_capture};
}

}  // namespace heddle::cli
