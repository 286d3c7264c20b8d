// heddle ask: one answer, position by position, to a question of any task.
#include <algorithm>

#include "heddle/base/decimal.hpp"
#include "heddle/base/file.hpp"
#include "heddle/base/index.hpp"
#include "heddle/base/text.hpp"
#include "heddle/cli/commands.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/cli/text/answer_text.hpp"
#include "heddle/cli/text/example_text.hpp"
#include "heddle/lens/ablate/heads_behind.hpp"
#include "heddle/lens/answer.hpp"
#include "heddle/lens/open_task.hpp"
#include "heddle/lens/why_not_asked.hpp"
#include "heddle/record/json.hpp"

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
  for (const AttentionMap& map : answer.seen.attention)
    attention[map.module] = nested(map.weights, {map.heads, map.queries, map.keys});
  return json_line(
      {{"input", answer.input},
       {"output", answer.output},
       {"expected", answer.known ? Json(answer.expected) : Json()},
       {"correct", answer.known ? Json(answer.correct) : Json()},
       {"logits", nested(answer.seen.logits, {std::ssize(answer.said), answer.choices})},
       {"attention", attention},
       {"heads", head_list},
       {"tokens",
        {{"source", answer.source_texts},
         {"target", answer.target_texts},
         {"said", answer.said_texts}}},
       {"defect", config.defect_note()}});
}

std::string chance(double probability) {
  return format_percent(probability, probability >= 0.9995 && probability < 1 ? 4 : 2);
}

/// What each position said, and what came next; `name` writes a choice.
template <class Name>
void add_positions(const Answer& answer, const Name& name, Table& table) {
  for (std::size_t place = 0; place < answer.said.size(); ++place) {
    const auto shares = probabilities(answer, static_cast<Index>(place));
    const std::int32_t said = answer.said[place];
    std::int32_t second = said == 0 ? 1 : 0;
    for (std::int32_t token = 0; token < static_cast<std::int32_t>(shares.size()); ++token)
      if (token != said && shares[to_size(token)] > shares[to_size(second)]) second = token;
    const bool other = to_size(second) < shares.size();  // one label has none
    table.add({std::to_string(place + 1), name(said), chance(shares[to_size(said)]),
               other ? name(second) : "", other ? chance(shares[to_size(second)]) : ""});
  }
}

std::string answer_text(const Task& task, const Answer& answer) {
  const bool labels = task.shape().labels;
  Table table("rlrlr");
  table.add({"position", labels ? "label" : "token", "probability", "runner-up", "probability"});
  if (task.shape().start_counts())
    table.add({"start", task.token(task.shape().start_token()), "given", "", ""});
  add_positions(
      answer, [&](std::int32_t choice) { return labels ? task.label(choice) : task.token(choice); },
      table);
  return answer_line(task, answer) + table.text();
}

std::string signed_text(double value) {
  const std::string text = format_fixed(value, 2);
  return text.starts_with('-') ? text : "+" + text;
}

/// The heads that mattered for this answer, by ablation and not by brightness.
std::string heads_text(std::span<const HeadEffect> heads, std::string_view leads) {
  constexpr std::size_t kShown = 6;
  if (heads.empty()) return "  the heads that mattered: not measured\n";
  Table table("lr");
  table.add({"heads that mattered", "margin lost"});
  for (std::size_t i = 0; i < std::min(kShown, heads.size()); ++i)
    table.add({heads[i].head, signed_text(heads[i].effect)});
  return table.text() +
         fmt::format(
             "  margin lost: logits by which {}, summed over the answer, when the head's mean over "
             "other problems takes its place\n",
             leads);
}

/// What the heads' means are taken over; without held-out examples there is nothing.
std::vector<HeadEffect> heads_for(const Member& member, const Task& task, const Questions& asked,
                                  Team& team) {
  if (task.validation().size() == 0) return {};
  return heads_behind(member, asked, task.similar_questions(asked[0], kMeanOver), team);
}

int run_ask(const Arguments& arguments, Console& console) {
  const std::string& run = run_folder(arguments);
  const Member member = load_member(run);
  const auto task = open_task(run, member.config, true, reading_progress(console));
  console.erase();
  check_answer_flag(arguments, *task);
  const std::string& text = arguments.positional(1);
  const std::string right = arguments.value("--answer").value_or("");
  (void)task->parse(text);  // what is no question is said first
  label_defect(member.config, console);
  Team team(thread_count(arguments));
  const Answer answer = answer_question(member, *task, text, right, team);
  const Questions asked = question_answered(*task, text, right, answer);
  const std::vector<HeadEffect> heads = heads_for(member, *task, asked, team);
  if (task->validation().size() == 0)
    console.warn("{}: which heads mattered cannot be measured", why_not_asked(member.config, 0));
  console.result(arguments.json() ? answer_json(member.config, answer, heads)
                                  : answer_text(*task, answer) +
                                        heads_text(heads, answer.known ? "the right answer leads"
                                                                       : "what was said leads"));
  return 0;
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
