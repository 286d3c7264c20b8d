// See member.hpp.
#include "heddle/model/member.hpp"

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/config/load.hpp"
#include "heddle/config/sequences.hpp"
#include "heddle/model/checkpoint.hpp"
#include "heddle/model/classifier_rows.hpp"
#include "heddle/task/encoding.hpp"

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

std::unique_ptr<Seq2Seq> build_model(const Config& config) {
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

std::unique_ptr<Classifier> build_classifier(const Config& config) {
  const LengthRange lengths = parse_lengths(config.task.lengths);
  return std::make_unique<Classifier>(
      config.model, ClassifierSizes{.vocabulary = kSortVocabulary,
                                    .position_rows = layout_of(config.model).length(lengths.most)});
}

namespace {

template <class Model>
MemberOf<Model> drawn(const Config& config, std::unique_ptr<Model> model) {
  MemberOf<Model> member{.config = config, .model = std::move(model), .weights = {}};
  member.weights = Weights(member.model->layout(), DType::f32);
  member.weights.initialise(config.seed);
  member.weights.pack();
  return member;
}

template <class Model>
MemberOf<Model> loaded(const Config& config, std::unique_ptr<Model> model,
                       const std::string& path) {
  MemberOf<Model> member{.config = config, .model = std::move(model), .weights = {}};
  member.weights = Weights(member.model->layout(), DType::f32);
  load_weights(path, member.weights);
  member.weights.pack();
  return member;
}

void check_task(const std::string& run, const Config& config, TaskKind wanted) {
  check<UsageError>(config.task.name == wanted, "{} learned {}; accepted here is a run of {}",
                    quote_path(run), field_text(config.task.name), field_text(wanted));
}

}  // namespace

Member make_member(const Config& config) {
  return drawn(config, build_model(config));
}

ClassifierMember make_classifier(const Config& config) {
  return drawn(config, build_classifier(config));
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
  check_task(run, config, TaskKind::addition);
  return loaded(config, build_model(config), run + "/" + file);
}

ClassifierMember load_classifier(const std::string& run, const std::string& file) {
  const Config config = load_config(run);
  check_task(run, config, TaskKind::sortedness);
  return loaded(config, build_classifier(config), run + "/" + file);
}

}  // namespace heddle
