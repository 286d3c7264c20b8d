// See sortedness.hpp.
#include "heddle/task/sortedness/sortedness.hpp"

#include <array>

#include "heddle/base/check.hpp"
#include "heddle/base/fields.hpp"
#include "heddle/base/index.hpp"
#include "heddle/base/text.hpp"
#include "heddle/config/sequences.hpp"
#include "heddle/task/sortedness/settings.hpp"
#include "heddle/task/sortedness/sorted_sets.hpp"

namespace heddle {
namespace {

constexpr Index kLongestQuestion = 4096;
constexpr std::array<Index, 7> kExamLengths{8, 12, 16, 32, 64, 128, 256};

void add_sequences(std::span<const LabelledSequence> sequences, Questions& out) {
  for (const LabelledSequence& each : sequences) {
    const std::int32_t label = each.sorted ? 1 : 0;
    out.add(each.values, std::span(&label, 1));
  }
}

SplitMakeup sequence_shares(std::string split, const SequenceMakeup& makeup) {
  return {.split = std::move(split),
          .count = makeup.count(),
          .by_carries = {},
          .positives = static_cast<double>(makeup.positives) / static_cast<double>(makeup.count()),
          .ties = makeup.tie_share(),
          .gap1 = makeup.gap1_share(),
          .descents = makeup.mean_descents()};
}

}  // namespace

TaskShape sortedness_shape(const TaskConfig& task) {
  return {.labels = true,
          .words = kValueCount,
          .classes = 2,
          .longest_input = parse_lengths(task.lengths).most};
}

Sortedness::Sortedness(const Config& config)
    : Task(config), data_(sortedness_settings(config, row_layout(config.model))) {
  add_sequences(data_.validation(), validation_);
  // Another seed draws other sequences of the same kinds.
  constexpr std::uint64_t kFar = 1'000'003;
  SortednessSettings other = data_.settings();
  other.seed += kFar;
  add_sequences(SortednessData(other).validation(), test_);
  traits_.questions = "sequences";
  traits_.accepts_answers = false;
  traits_.example_input = "3 5 5 9";
  traits_.half_sorted = traits_.may_repeat_training = traits_.sets_by_length = true;
  traits_.positive_label = 1;
  // Sequences may be long; each loss joins the total by itself.
  traits_.passes = {.questions = 0, .tokens = 4096, .loss_block = 1, .margin_loss = true};
}

Questions sorted_questions(std::uint64_t seed, ValueKind values, Index length, Index count) {
  constexpr std::int32_t kSorted = 1;
  Questions list;
  Sequence sequence(to_size(length));
  for (Index i = 0; i < count; ++i) {
    Rng rng(seed, "answer.reference", static_cast<std::uint64_t>(i));
    draw_sorted(rng, values, sequence);
    list.add(sequence, std::span(&kSorted, 1));
  }
  return list;
}

Questions Sortedness::similar_questions(const Question& question, Index most) const {
  constexpr Index kEnough = 64;
  return sorted_questions(seed(), data_.settings().values, std::ssize(question.input),
                          std::min(most, kEnough));
}

std::vector<std::string> Sortedness::exam_names() const {
  std::vector<std::string> names = Task::exam_names();
  for (const std::string_view kind : names_of(NegativeKind{}))
    for (const Index length : kExamLengths) names.push_back(fmt::format("{} at {}", kind, length));
  return names;
}

std::unique_ptr<Exam> Sortedness::exam(std::string_view name) const {
  constexpr std::string_view kAt = " at ", kComma = ", ";
  const std::size_t at = name.find(kAt);
  if (at == std::string_view::npos) return Task::exam(name);
  const Spoil spoil = parse_spoil("exam", name.substr(0, at));
  const std::string_view rest = name.substr(at + kAt.size());
  const std::size_t comma = rest.find(kComma);
  const auto length = parse_int(rest.substr(0, comma));
  check<UsageError>(length.has_value(), "{} is no exam: accepted is such as 'adjacent at 256'",
                    quote(name));
  SetSpec spec{.length = *length, .kind = spoil.kind, .delta = spoil.delta, .seed = kSetSeed};
  if (comma != std::string_view::npos)
    spec.values = parse_kind<ValueKind>("exam", rest.substr(comma + kComma.size()));
  return std::make_unique<SortedExam>(spec);
}

std::vector<std::int32_t> Sortedness::parse(std::string_view text) const {
  return parse_sequence(text, kLongestQuestion);
}

std::optional<std::vector<std::int32_t>> Sortedness::right_answer(
    std::span<const std::int32_t> input) const {
  return std::vector<std::int32_t>{is_sorted(input) ? 1 : 0};
}

std::vector<SplitMakeup> Sortedness::makeup() const {
  SequenceMakeup validation;
  for (const LabelledSequence& each : data_.validation()) validation.add(each.values);
  return {sequence_shares("train", data_.train_makeup()),
          sequence_shares("validation", validation)};
}

}  // namespace heddle
