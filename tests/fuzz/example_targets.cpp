// What a user brings and asks: files of examples, questions as they are typed, the words of a run.
#include <array>

#include "heddle/base/text.hpp"
#include "heddle/config/load.hpp"
#include "heddle/config/presets.hpp"
#include "heddle/task/file/file_task.hpp"
#include "heddle/task/registry.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/support/example_text.hpp"

namespace heddle::testing {
namespace {

/// Whatever the ends of lines, the examples are the same.
void other_line_ends(const ExampleSet& set, std::string_view text, ExampleFile kind,
                     const ExampleOptions& options) {
  if (text.find('\r') != std::string_view::npos) return;
  std::string other;
  for (const char c : text) other += c == '\n' ? std::string("\r\n") : std::string(1, c);
  require(same_examples(set, read_examples(text_source(other), kind, options)), "CRLF");
}

void round_trips(const ExampleSet& set, const ExampleOptions& options) {
  const std::string json = to_jsonl(set);
  require(same_examples(set, read_examples(text_source(json), ExampleFile::jsonl, options)),
          "as JSON lines");
  if (!csv_can_hold(set)) return;
  const std::string csv = to_csv(set);
  require(same_examples(set, read_examples(text_source(csv), ExampleFile::csv, options)), "as CSV");
}

/// The first byte chooses the kind of tokens, how many are held out and the size of a block.
void fuzz_examples(std::string_view bytes, ExampleFile kind) {
  if (bytes.empty()) return;
  const auto choice = static_cast<unsigned char>(bytes.front());
  constexpr std::array<std::uint64_t, 4> kBlocks{1U << 18U, 1, 2, 7};
  ExampleOptions options;
  if ((choice & 4U) != 0) options.tokens = TokenKind::characters;
  options.seed = (choice >> 5U) & 3U;
  options.validation_share = (choice & 128U) != 0 ? 0.4 : 0.1;
  options.most_held_out = (choice & 64U) != 0 ? 1 : 2000;
  const std::string_view text = bytes.substr(1);
  ExampleSet set;
  try {
    set = read_examples(text_source(text, kBlocks.at((choice >> 3U) & 3U)), kind, options);
  } catch (const FileError& error) {
    require_sound(error.what());
    require(std::string_view(error.what()).starts_with("'f'"), "an error without its file");
    return;
  }
  const std::string broken = broken_promise(set, options);
  require(broken.empty(), broken);
  other_line_ends(set, text, kind, options);
  round_trips(set, options);
}

std::unique_ptr<Task> small_task(std::string_view name) {
  Config config = preset_of_task("default", std::string(name));
  if (name == "sort" || name == "reverse") set(config, "task.lengths=2-6");
  return make_task(config);
}

/// A task of words and one of labels by their words alone.
std::unique_ptr<Task> task_of_words(std::string_view lexicon, bool labels, TokenKind tokens) {
  Config config = default_config(TaskKind::file);
  config.task.form = labels ? FormKind::labels : FormKind::pairs;
  config.task.tokens = tokens;
  config.task.vocabulary = 3;
  config.task.classes = labels ? 2 : 0;
  config.task.longest_input = config.task.longest_output = 8;
  return std::make_unique<FileTask>(config, std::string(lexicon));
}

constexpr std::string_view kWords = R"({"tokens": ["a", "b", "ß"], "labels": []})";
constexpr std::string_view kLabels = R"({"tokens": ["a", "b", "ß"], "labels": ["no", "yes"]})";

void ask(const Task& task, std::string_view text) {
  std::vector<std::int32_t> input;
  const bool read = accepted([&] { input = task.parse(text); });
  accepted([&] { (void)task.parse_answer(text); });
  if (!read) return;
  require(!input.empty(), "a question of nothing");
  for (const std::int32_t word : input)
    require(word >= 0 && word < task.shape().words, "a word that is none");
  require(task.parse(task.text(input)) == input, "a question that changes");
  accepted([&] { (void)task.right_answer(input); });
}

}  // namespace

void fuzz_csv(std::string_view bytes) {
  const bool tabs = !bytes.empty() && (static_cast<unsigned char>(bytes.front()) & 1U) != 0;
  fuzz_examples(bytes, tabs ? ExampleFile::tsv : ExampleFile::csv);
}

/// JSON lines, and whatever kind stands behind them.
void fuzz_jsonl(std::string_view bytes) {
  constexpr std::size_t kFirst = to_size(ExampleFile::jsonl);
  constexpr std::size_t kKinds = names_of(ExampleFile{}).size() - kFirst;
  const std::size_t choice = bytes.empty() ? 0 : static_cast<unsigned char>(bytes.front()) & 3U;
  fuzz_examples(bytes, static_cast<ExampleFile>(kFirst + choice % kKinds));
}

void fuzz_questions(std::string_view bytes) {
  static const std::array kTasks{small_task("addition"),
                                 small_task("sortedness"),
                                 small_task("sort"),
                                 small_task("reverse"),
                                 small_task("modular"),
                                 task_of_words(kWords, false, TokenKind::words),
                                 task_of_words(kLabels, true, TokenKind::characters)};
  if (bytes.empty()) return;
  const auto choice = static_cast<unsigned char>(bytes.front());
  ask(*kTasks.at(choice % kTasks.size()), bytes.substr(1));
}

void fuzz_lexicon(std::string_view bytes) {
  for (const bool labels : {false, true}) {
    std::unique_ptr<Task> task;
    if (!accepted([&] { task = task_of_words(bytes, labels, TokenKind::words); })) continue;
    require(task->shape().words == 3, "as many words as the settings say");
    for (std::int32_t word = 0; word < 3; ++word) (void)task->word(word);
    require(task->files().size() == 1, "a task without its words");
  }
}

}  // namespace heddle::testing
