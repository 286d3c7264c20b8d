// heddle ask: one answer, position by position.
#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "heddle/cli/commands.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/lens/ablate.hpp"
#include "heddle/lens/answer.hpp"
#include "heddle/lens/sequence_answer.hpp"
#include "heddle/record/json.hpp"
#include "heddle/task/addition.hpp"
#include "heddle/task/encoding.hpp"

namespace heddle::cli {
namespace {

constexpr std::size_t kReference = 500;  // problems that a head's mean is taken over

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

Json texts(std::span<const std::int32_t> tokens) {
  Json list = Json::array();
  for (const std::int32_t token : tokens) list.push_back(token_text(token));
  return list;
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
                    {"expected", answer.expected},
                    {"correct", answer.correct},
                    {"logits", nested(answer.logits,
                                      {static_cast<Index>(answer.said.size()), answer.vocabulary})},
                    {"attention", attention},
                    {"heads", head_list},
                    {"tokens",
                     {{"source", texts(answer.source)},
                      {"target", texts(answer.target)},
                      {"said", texts(answer.said)}}},
                    {"defect", config.defect_note()}});
}

std::string chance(double probability) {
  return probability >= 0.9995 && probability < 1 ? fmt::format("{:.4f} %", 100 * probability)
                                                  : fmt::format("{:.2f} %", 100 * probability);
}

std::string answer_text(const AdditionEncoding& encoding, const Answer& answer) {
  std::string text = answer.correct ? fmt::format("{} = {}   right\n", answer.input, answer.output)
                                    : fmt::format("{} = {}   wrong: it is {}\n", answer.input,
                                                  answer.output, answer.expected);
  Table table("rlrlr");
  table.add({"position", "token", "probability", "runner-up", "probability"});
  if (encoding.start_counts())
    table.add({"start", std::string(token_text(encoding.start_token())), "given", "", ""});
  for (std::size_t place = 0; place < answer.said.size(); ++place) {
    const auto shares = probabilities(answer, static_cast<Index>(place));
    const std::int32_t said = answer.said[place];
    std::int32_t second = said == 0 ? 1 : 0;
    for (std::int32_t token = 0; token < static_cast<std::int32_t>(shares.size()); ++token)
      if (token != said &&
          shares[static_cast<std::size_t>(token)] > shares[static_cast<std::size_t>(second)])
        second = token;
    table.add({std::to_string(place + 1), std::string(token_text(said)),
               chance(shares[static_cast<std::size_t>(said)]), std::string(token_text(second)),
               chance(shares[static_cast<std::size_t>(second)])});
  }
  return text + table.text();
}

/// The heads that mattered for this answer, by ablation and not by brightness.
std::string heads_text(std::span<const HeadEffect> heads) {
  constexpr std::size_t kShown = 6;
  Table table("lr");
  table.add({"heads that mattered", "margin lost"});
  for (std::size_t i = 0; i < std::min(kShown, heads.size()); ++i)
    table.add({heads[i].head, fmt::format("{:+.2f}", heads[i].effect)});
  return table.text() +
         "  margin lost: logits by which the right digits lead, summed over the answer, when the "
         "head's mean over other problems takes its place\n";
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

int run_ask(const Arguments& arguments, Console& console) {
  const std::string& run = run_folder(arguments);
  if (load_config(run).task.name == TaskKind::sortedness) return ask_sequence(arguments, console);
  const Member member = load_member(run);
  const Problem problem =
      parse_problem(arguments.positional(1), static_cast<int>(member.config.task.digits));
  label_defect(member.config, console);
  Team team(thread_count(arguments));
  const Answer answer = answer_problem(member, problem, team);
  const Addition task(member.config);
  const std::vector<HeadEffect> heads =
      heads_behind(member, problem,
                   task.validation().first(std::min(kReference, task.validation().size())), team);
  console.result(arguments.json() ? answer_json(member.config, answer, heads)
                                  : answer_text(AdditionEncoding(member.config.task), answer) +
                                        heads_text(heads));
  return 0;
}

}  // namespace

Command ask_command() {
  return {.name = "ask",
          .summary = "Asks a member one question.",
          .positionals = {{.name = "RUN", .help = "the folder that train wrote"},
                          {.name = "INPUT",
                           .help = R"(the question: "374+814", or "3 5 5 9" for a sorter)"}},
          .flags = {},
          .examples = {"ask run \"374+814\"", "ask run 5+7 --json", "ask sorter \"3 5 5 9\""},
          .run = run_ask};
}

}  // namespace heddle::cli
