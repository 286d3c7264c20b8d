// heddle ask: one answer, position by position, to a question of any task.
#include <algorithm>
#include <cmath>

#include "heddle/base/text.hpp"
#include "heddle/cli/commands.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/cli/text/example_text.hpp"
#include "heddle/lens/ablate/ablate.hpp"
#include "heddle/lens/answer.hpp"
#include "heddle/lens/run_task.hpp"
#include "heddle/lens/sequence_answer.hpp"
#include "heddle/record/json.hpp"
#include "heddle/task/addition/addition.hpp"
#include "heddle/task/addition/encoding.hpp"

namespace heddle::cli {
namespace {

constexpr Index kMeanOver = 500;  // problems that a head's mean is taken over

/// Nested arrays of `shape` out of numbers in row-major order.
Json nested(const float*& numbers, std::span<const Index> shape) {
  Json list = Json::array();
  for (Index i = 0; i < shape.front(); ++i) {
    if (shape.size() == 1) {
      list.push_back(*numbers++);
    } else {
      list.push_back(nested(numbers, shape.subspan(1)));
    }
  }
  return list;
}

Json nested(const std::vector<float>& numbers, std::initializer_list<Index> shape) {
  const float* next = numbers.data();
  return nested(next, std::span(shape.begin(), shape.size()));
}

std::string answer_json(const Config& config, const Answer& answer,
                        std::span<const HeadEffect> heads) {
  Json head_list = Json::array();
  for (const HeadEffect& head : heads)
    head_list.push_back({{"head", head.head}, {"effect", head.effect}});
  Json attention = Json::object();
  for (const AttentionMap& map : answer.attention)
    attention[map.module] = nested(map.weights, {map.heads, map.queries, map.keys});
  return json_line({{"input", answer.input},
                    {"output", answer.output},
                    {"expected", answer.known ? Json(answer.expected) : Json()},
                    {"correct", answer.known ? Json(answer.correct) : Json()},
                    {"logits", nested(answer.logits,
                                      {static_cast<Index>(answer.said.size()), answer.vocabulary})},
                    {"attention", attention},
                    {"heads", head_list},
                    {"tokens",
                     {{"source", answer.source_texts},
                      {"target", answer.target_texts},
                      {"said", answer.said_texts}}},
                    {"defect", config.defect_note()}});
}

std::string chance(double probability) {
  return probability >= 0.9995 && probability < 1 ? fmt::format("{:.4f} %", 100 * probability)
                                                  : fmt::format("{:.2f} %", 100 * probability);
}

/// What each position said, and what came next; `name` writes a choice.
template <class Name>
void add_positions(const Answer& answer, const Name& name, Table& table) {
  for (std::size_t place = 0; place < answer.said.size(); ++place) {
    const auto shares = probabilities(answer, static_cast<Index>(place));
    const std::int32_t said = answer.said[place];
    std::int32_t second = said == 0 ? 1 : 0;
    for (std::int32_t token = 0; token < static_cast<std::int32_t>(shares.size()); ++token)
      if (token != said &&
          shares[static_cast<std::size_t>(token)] > shares[static_cast<std::size_t>(second)])
        second = token;
    const bool other = static_cast<std::size_t>(second) < shares.size();  // one label has none
    table.add({std::to_string(place + 1), name(said),
               chance(shares[static_cast<std::size_t>(said)]), other ? name(second) : "",
               other ? chance(shares[static_cast<std::size_t>(second)]) : ""});
  }
}

std::string answer_text(const AdditionEncoding& encoding, const Answer& answer) {
  std::string text = answer.correct ? fmt::format("{} = {}   right\n", answer.input, answer.output)
                                    : fmt::format("{} = {}   wrong: it is {}\n", answer.input,
                                                  answer.output, answer.expected);
  Table table("rlrlr");
  table.add({"position", "token", "probability", "runner-up", "probability"});
  if (encoding.start_counts())
    table.add({"start", std::string(token_text(encoding.start_token())), "given", "", ""});
  add_positions(answer, [](std::int32_t token) { return std::string(token_text(token)); }, table);
  return text + table.text();
}

std::string answer_text(const RunTask& task, bool labels, const Answer& answer) {
  const std::string verdict = !answer.known    ? "the right answer is not known"
                              : answer.correct ? "right"
                                               : "wrong: it is " + answer.expected;
  Table table("rlrlr");
  table.add({"position", labels ? "label" : "token", "probability", "runner-up", "probability"});
  add_positions(
      answer,
      [&](std::int32_t choice) {
        return labels ? task.answer_text(std::span(&choice, 1)) : task.token(choice);
      },
      table);
  return fmt::format("{} → {}   {}\n", answer.input, answer.output, verdict) + table.text();
}

/// The heads that mattered for this answer, by ablation and not by brightness.
std::string heads_text(std::span<const HeadEffect> heads, std::string_view leads) {
  constexpr std::size_t kShown = 6;
  if (heads.empty()) return "  the heads that mattered: not measured\n";
  Table table("lr");
  table.add({"heads that mattered", "margin lost"});
  for (std::size_t i = 0; i < std::min(kShown, heads.size()); ++i)
    table.add({heads[i].head, fmt::format("{:+.2f}", heads[i].effect)});
  return table.text() +
         fmt::format(
             "  margin lost: logits by which {}, summed over the answer, when the head's mean over "
             "other problems takes its place\n",
             leads);
}

std::string sequence_json(const SequenceAnswer& answer, const Config& config) {
  Json heads = Json::array(), attention = Json::object();
  for (const SequenceHead& head : answer.heads)
    heads.push_back({{"head", head.head}, {"effect", head.effect}});
  for (const AttentionMap& map : answer.attention)
    attention[map.module] = nested(map.weights, {map.heads, map.queries, map.keys});
  const auto word = [](bool sorted) { return sorted ? "sorted" : "not sorted"; };
  return json_line({{"input", sequence_text(answer.values)},
                    {"output", word(answer.said)},
                    {"expected", word(answer.sorted)},
                    {"correct", answer.said == answer.sorted},
                    {"logits", nested(answer.logits, {1, 2})},
                    {"attention", attention},
                    {"heads", heads},
                    {"tokens", {{"source", answer.tokens}}},
                    {"defect", config.defect_note()}});
}

std::string sequence_answer_text(const SequenceAnswer& answer) {
  constexpr std::size_t kShown = 6;
  const auto word = [](bool sorted) { return sorted ? "sorted" : "not sorted"; };
  const double margin =
      static_cast<double>(answer.logits[1]) - static_cast<double>(answer.logits[0]);
  std::string text = fmt::format(
      "{}: {}   {}\n  chance that it is sorted, as the model sees it: {}\n",
      sequence_text(answer.values), word(answer.said),
      answer.said == answer.sorted ? "right" : fmt::format("wrong: it is {}", word(answer.sorted)),
      chance(1 / (1 + std::exp(-margin))));
  Table table("lr");
  table.add({"heads that mattered", "margin lost"});
  for (std::size_t i = 0; i < std::min(kShown, answer.heads.size()); ++i)
    table.add({answer.heads[i].head, fmt::format("{:+.2f}", answer.heads[i].effect)});
  return text + table.text() +
         "  margin lost: logits by which the right answer leads, when the head's mean over sorted "
         "sequences of the same length takes its place\n";
}

int ask_sequence(const Arguments& arguments, Console& console) {
  constexpr Index kLongest = 4096, kSequences = 64;
  const Sequence values = parse_sequence(arguments.positional(1), kLongest);
  const Member member = load_member(run_folder(arguments));
  label_defect(member.config, console);
  const SequenceAnswer answer = answer_sequence(member, values, kSequences);
  console.result(arguments.json() ? sequence_json(answer, member.config)
                                  : sequence_answer_text(answer));
  return 0;
}

int ask_addition(const Arguments& arguments, Console& console) {
  const Member member = load_member(run_folder(arguments));
  const Problem problem =
      parse_problem(arguments.positional(1), static_cast<int>(member.config.task.digits));
  label_defect(member.config, console);
  Team team(thread_count(arguments));
  const Answer answer = answer_problem(member, problem, team);
  const Addition task(member.config);
  const std::size_t reference =
      std::min(static_cast<std::size_t>(kMeanOver), task.validation_problems().size());
  const std::vector<HeadEffect> heads =
      heads_behind(member, problem, task.validation_problems().first(reference), team);
  console.result(arguments.json() ? answer_json(member.config, answer, heads)
                                  : answer_text(AdditionEncoding(member.config.task), answer) +
                                        heads_text(heads, "the right digits lead"));
  return 0;
}

/// Without the task's file a member can still be asked, but no head has a mean.
int ask_words(const Arguments& arguments, Console& console) {
  const std::string& run = run_folder(arguments);
  const Member member = load_member(run);
  label_defect(member.config, console);
  const auto task = open_task(run, member.config, true, reading_on(console));
  console.erase();
  const std::string& text = arguments.positional(1);
  const std::string right = arguments.value("--answer").value_or("");
  Team team(thread_count(arguments));
  const Answer answer = answer_question(member, *task, text, right, team);
  std::vector<HeadEffect> heads;
  if (task->validation_size() > 0)
    heads = heads_behind(member, asked_for(*task, text, right, answer),
                         task->validation(0, kMeanOver), team);
  else
    console.warn("{} is not there: which heads mattered cannot be measured",
                 quote_path(member.config.task.path));
  console.result(arguments.json() ? answer_json(member.config, answer, heads)
                                  : answer_text(*task, member.config.classifies(), answer) +
                                        heads_text(heads, answer.known ? "the right answer leads"
                                                                       : "what was said leads"));
  return 0;
}

int run_ask(const Arguments& arguments, Console& console) {
  const TaskKind task = load_config(run_folder(arguments)).task.name;
  const bool words = task != TaskKind::addition && task != TaskKind::sortedness;
  check<UsageError>(words || !arguments.has("--answer"),
                    "--answer: {} knows the right answer by itself", field_text(task));
  if (task == TaskKind::sortedness) return ask_sequence(arguments, console);
  return words ? ask_words(arguments, console) : ask_addition(arguments, console);
}

}  // namespace

Command ask_command() {
  return {.name = "ask",
          .summary = "Asks a member one question.",
          .positionals = {{.name = "RUN", .help = "the folder that train wrote"},
                          {.name = "INPUT",
                           .help = R"(the question: "374+814", "3 5 5 9" for a sorter, or words)"}},
          .flags = {kAnswerFlag},
          .examples = {R"(ask run "374+814")", "ask run 5+7 --json", R"(ask sorter "3 5 5 9")",
                       R"(ask words "to be or not" --answer "not or be to")"},
          .run = run_ask};
}

}  // namespace heddle::cli
