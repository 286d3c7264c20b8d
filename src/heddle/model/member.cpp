// See member.hpp.
#include "heddle/model/member.hpp"

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/config/load.hpp"
#include "heddle/model/checkpoint.hpp"
#include "heddle/model/classifier/rows.hpp"
#include "heddle/task/addition/encoding.hpp"
#include "heddle/task/shape.hpp"

namespace heddle {

namespace {

/// What stands at each place, from the column of its digit: within a number columns follow each
/// other, so a number ends where there is no digit.
template <class ColumnOf>
std::vector<DigitSlot> slots_of(Index length, ColumnOf column_of) {
  std::vector<DigitSlot> slots;
  for (Index place = 0; place < length; ++place) {
    const Index column = column_of(place);
    const Index before = slots.empty() ? -1 : slots.back().index;
    slots.push_back({.index = column < 0 ? -1 : before + 1, .column = column});
  }
  return slots;
}

}  // namespace

namespace {

std::unique_ptr<Seq2Seq> build_adder(const Config& config) {
  const AdditionEncoding encoding(config.task);
  const auto source = [&](Index place) { return encoding.source_column(place); };
  const auto target = [&](Index place) { return encoding.target_column(place); };
  return std::make_unique<Seq2Seq>(
      config.model, SequenceSizes{.vocabulary = kVocabulary,
                                  .source_length = encoding.source_length(),
                                  .target_length = encoding.target_length(),
                                  .source_slots = slots_of(encoding.source_length(), source),
                                  .target_slots = slots_of(encoding.target_length(), target)});
}

}  // namespace

std::unique_ptr<Seq2Seq> build_seq2seq(const Config& config) {
  if (config.task.name == TaskKind::addition) return build_adder(config);
  const TaskShape shape = shape_of(config.task);
  return std::make_unique<Seq2Seq>(config.model,
                                   SequenceSizes{.vocabulary = shape.vocabulary(),
                                                 .source_length = shape.longest_input,
                                                 .target_length = shape.target_length()});
}

std::unique_ptr<Classifier> build_classifier(const Config& config) {
  const TaskShape shape = shape_of(config.task);
  return std::make_unique<Classifier>(
      config.model,
      ClassifierSizes{.vocabulary = shape.vocabulary(),
                      .position_rows = layout_of(config.model).length(shape.longest_input),
                      .classes = shape.classes});
}

std::unique_ptr<Model> build_model(const Config& config) {
  if (config.classifies()) return build_classifier(config);
  return build_seq2seq(config);
}

const Seq2Seq& Member::seq2seq() const {
  const auto* found = dynamic_cast<const Seq2Seq*>(model.get());
  check(found != nullptr, "this member is no encoder-decoder");
  return *found;
}

const Classifier& Member::classifier() const {
  const auto* found = dynamic_cast<const Classifier*>(model.get());
  check(found != nullptr, "this member is no classifier");
  return *found;
}

void check_task(const std::string& run, const Config& config, TaskKind wanted) {
  check<UsageError>(config.task.name == wanted, "{} learned {}; accepted here is a run of {}",
                    quote_path(run), field_text(config.task.name), field_text(wanted));
}

Member make_member(const Config& config) {
  Member member{.config = config, .model = build_model(config), .weights = {}};
  member.weights = Weights(member.model->layout(), DType::f32);
  member.weights.initialise(config.seed);
  member.weights.pack();
  return member;
}

Config load_config(const std::string& run) {
  constexpr std::size_t kMost = 1 << 20;
  const std::string path = run + "/config.json";
  check<FileError>(file_exists(path), "{} is not a run: it has no config.json", quote_path(run));
  try {
    return parse_config(read_file(path, kMost));
  } catch (const UsageError& error) {
    throw FileError(fmt::format("{}: {}", quote_path(path), error.what()));
  }
}

Member load_member(const std::string& run, const std::string& file) {
  const Config config = load_config(run);
  Member member{.config = config, .model = build_model(config), .weights = {}};
  member.weights = Weights(member.model->layout(), DType::f32);
  load_weights(run + "/" + file, member.weights);
  member.weights.pack();
  return member;
}

}  // namespace heddle
