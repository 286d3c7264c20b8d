// See example_task.hpp.
#include "heddle/task/example_task.hpp"

#include <algorithm>

#include "heddle/base/hash.hpp"
#include "heddle/base/rng.hpp"
#include "heddle/base/text.hpp"

namespace heddle {
namespace {

void add_examples(Hash& hash, std::string_view name, const ExampleList& list) {
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

}  // namespace

std::string ExampleTask::token(std::int32_t token) const {
  if (token < shape_.pad()) return word(token);
  if (token == shape_.pad()) return "PAD";
  if (token == shape_.bos()) return "BOS";
  return shape_.labels ? "CLS" : "EOS";
}

std::string ExampleTask::text(std::span<const std::int32_t> tokens) const {
  std::vector<std::string> words;
  for (const std::int32_t each : tokens) {
    if (!shape_.labels && each == shape_.eos()) break;
    if (each < shape_.pad()) words.push_back(word(each));
  }
  return join(words, between());
}

std::vector<std::string> ExampleTask::cut(std::string_view text) const {
  std::vector<std::string> words;
  for (const std::string& word : split(text, ' '))
    if (!word.empty()) words.push_back(word);
  return words;
}

std::int32_t ExampleTask::find_word(const std::string& text) const {
  return find_number(text, "word of this task", shape_.words);
}

std::int32_t ExampleTask::find_label(const std::string& text) const {
  return find_number(text, "label of this task", shape_.classes);
}

std::vector<std::int32_t> ExampleTask::parse(std::string_view text) const {
  std::vector<std::int32_t> input;
  for (const std::string& word : cut(text)) input.push_back(find_word(word));
  check<UsageError>(!input.empty(), "the input {} is empty: accepted is words such as {}",
                    quote(text), quote(word(0)));
  const auto most = static_cast<std::size_t>(shape_.longest_input);
  check<UsageError>(shape_.labels || input.size() <= most,
                    "an input of {} words: this task accepts at most {}", input.size(), most);
  return input;
}

std::vector<std::int32_t> ExampleTask::parse_output(std::string_view text) const {
  if (shape_.labels) return {find_label(std::string(text))};
  std::vector<std::int32_t> output;
  for (const std::string& word : cut(text)) output.push_back(find_word(word));
  check<UsageError>(static_cast<Index>(output.size()) <= shape_.longest_output,
                    "an output of {} words: this task accepts at most {}", output.size(),
                    shape_.longest_output);
  return output;
}

std::string ExampleTask::data_hash() const {
  Hash hash;
  ExampleList some;
  hash.add("size").add(static_cast<std::uint64_t>(train_size()));
  for (Index step = 0; step == 0 || step * batch_ < train_size(); ++step) {  // the first epoch
    train_examples(step, some);
    add_examples(hash, "train", some);
  }
  add_examples(hash, "validation", validation_);
  add_examples(hash, "test", test_);
  return hash.hex();
}

void ExampleTask::epoch_places(Index step, Index size,
                               const std::function<void(Index place)>& use) const {
  for (Index row = 0; row < batch_;) {
    const Index epoch = (step * batch_ + row) / size;
    const Permutation order(Rng(seed_, "data.epoch", static_cast<std::uint64_t>(epoch)),
                            static_cast<std::uint64_t>(size));
    const Index end = std::min(batch_, (epoch + 1) * size - step * batch_);
    for (; row < end; ++row)
      use(static_cast<Index>(order(static_cast<std::uint64_t>((step * batch_ + row) % size))));
  }
}

}  // namespace heddle
