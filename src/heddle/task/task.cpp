// See task.hpp: what tasks of plain words share.
#include "heddle/task/task.hpp"

#include <algorithm>
#include <filesystem>

#include "heddle/base/hash.hpp"
#include "heddle/base/index.hpp"
#include "heddle/base/rng.hpp"
#include "heddle/base/text.hpp"

namespace heddle {
namespace {

void add_questions(Hash& hash, std::string_view name, const Questions& list) {
  hash.add(name).add(static_cast<std::uint64_t>(list.size()));
  for (Index i = 0; i < list.size(); ++i)
    for (const auto part : {list[i].input, list[i].output}) {
      hash.add(std::uint64_t{part.size()});
      for (const std::int32_t word : part) hash.add(static_cast<std::uint64_t>(word));
    }
}

/// A whole number in 0 … count − 1.
std::int32_t find_number(const std::string& text, std::string_view what, Index count) {
  const auto number = parse_int(text);
  check<UsageError>(number && *number >= 0 && *number < count, "{} is no {}: accepted is 0 to {}",
                    quote(text), what, count - 1);
  return static_cast<std::int32_t>(*number);
}

/// By words of the input.
class LengthFacet : public Facets {
 public:
  LengthFacet()
      : Facets({{.key = "by_length", .name = "by length", .unit = "length", .row_key = "length"}}) {
  }

  void values(const Question& question, std::span<Index> out) const override {
    out[0] = std::ssize(question.input);
  }
};

}  // namespace

Task::Task(const Config& config)
    : shape_(shape_of(config.task)),
      title_(config.task.from_file() ? std::filesystem::path(config.task.path).filename().string()
                                     : field_text(config.task.name)),
      batch_(config.train.batch),
      seed_(config.seed) {}

std::vector<std::string> Task::exam_names() const {
  return {"validation", "test"};
}

bool Task::has_exam(std::string_view name) const {
  const std::vector<std::string> names = exam_names();
  return std::ranges::find(names, name) != names.end();
}

std::unique_ptr<Exam> Task::exam(std::string_view name) const {
  if (name == "validation") return exam_of(validation_);
  if (name == "test") return exam_of(test_);
  constexpr std::size_t kNamed = 4;
  std::vector<std::string> names = exam_names();
  if (names.size() > kNamed) {
    names.resize(kNamed);
    names.emplace_back("…");
  }
  throw UsageError(
      fmt::format("{} is no exam of {}: accepted is {}", quote(name), title_, join(names, ", ")));
}

Questions Task::similar_questions(const Question& /*question*/, Index most) const {
  Questions some;
  for (Index i = 0; i < std::min(most, validation_.size()); ++i) some.add(validation_[i]);
  return some;
}

std::unique_ptr<Facets> Task::facets(Index /*steps*/) const {
  return std::make_unique<LengthFacet>();
}

std::string Task::token(std::int32_t token) const {
  if (token < shape_.pad()) return word(token);
  if (token == shape_.pad()) return "PAD";
  if (token == shape_.bos()) return "BOS";
  return shape_.labels ? "CLS" : "EOS";
}

std::string Task::text(std::span<const std::int32_t> tokens) const {
  std::vector<std::string> words;
  for (const std::int32_t each : tokens) {
    if (!shape_.labels && each == shape_.eos()) break;
    if (each < shape_.pad()) words.push_back(word(each));
  }
  return join(words, between_words());
}

std::string Task::answer_text(std::span<const std::int32_t> said) const {
  return shape_.labels ? label(said.front()) : text(shape_.answer_words(said));
}

std::string Task::mistake_text(const Question& question, std::span<const std::int32_t> said) const {
  return fmt::format("{} → {}, not {}", text(question.input), answer_text(said),
                     shape_.labels ? label(question.label()) : text(question.output));
}

std::vector<std::string> Task::cut(std::string_view text) const {
  std::vector<std::string> words;
  for (const std::string& word : split(text, ' '))
    if (!word.empty()) words.push_back(word);
  return words;
}

std::int32_t Task::find_word(const std::string& text) const {
  return find_number(text, "word of this task", shape_.words);
}

std::int32_t Task::find_label(const std::string& text) const {
  return find_number(text, "label of this task", shape_.classes);
}

std::vector<std::int32_t> Task::parse(std::string_view text) const {
  std::vector<std::int32_t> input;
  for (const std::string& word : cut(text)) input.push_back(find_word(word));
  check<UsageError>(!input.empty(), "the input {} is empty: accepted is words such as {}",
                    quote(text), quote(word(0)));
  const auto most = to_size(shape_.longest_input);
  check<UsageError>(shape_.labels || input.size() <= most,
                    "an input of {} words: this task accepts at most {}", input.size(), most);
  return input;
}

std::vector<std::int32_t> Task::parse_answer(std::string_view text) const {
  if (shape_.labels) return {find_label(std::string(text))};
  std::vector<std::int32_t> output;
  for (const std::string& word : cut(text)) output.push_back(find_word(word));
  check<UsageError>(std::ssize(output) <= shape_.longest_output,
                    "an output of {} words: this task accepts at most {}", output.size(),
                    shape_.longest_output);
  return output;
}

std::string Task::data_hash() const {
  Hash hash;
  Questions some;
  hash.add("size").add(static_cast<std::uint64_t>(train_size()));
  for (Index step = 0; step == 0 || step * batch_ < train_size(); ++step) {  // the first epoch
    train_questions(step, some);
    add_questions(hash, "train", some);
  }
  add_questions(hash, "validation", validation_);
  add_questions(hash, "test", test_);
  return hash.hex();
}

std::vector<SplitMakeup> Task::makeup() const {
  std::vector<SplitMakeup> splits;
  const auto add = [&](std::string name, Index count) {
    SplitMakeup split;
    split.split = std::move(name);
    split.count = count;
    split.examples = true;
    splits.push_back(std::move(split));
  };
  add("train", train_size());
  add("validation", validation_.size());
  add("test", test_.size());
  return splits;
}

void Task::epoch_places(Index step, Index size,
                        const std::function<void(Index row, Index place)>& use) const {
  for (Index row = 0; row < batch_;) {
    const Index epoch = (step * batch_ + row) / size;
    const Permutation order(Rng(seed_, "data.epoch", static_cast<std::uint64_t>(epoch)),
                            static_cast<std::uint64_t>(size));
    const Index end = std::min(batch_, (epoch + 1) * size - step * batch_);
    for (; row < end; ++row)
      use(row, static_cast<Index>(order(static_cast<std::uint64_t>((step * batch_ + row) % size))));
  }
}

}  // namespace heddle
