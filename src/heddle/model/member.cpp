// See member.hpp.
#include "heddle/model/member.hpp"

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/config/load.hpp"
#include "heddle/model/made_with.hpp"
#include "heddle/task/shape.hpp"

namespace heddle {

std::unique_ptr<Seq2Seq> build_seq2seq(const Config& config) {
  return std::make_unique<Seq2Seq>(config.model, shape_of(config.task));
}

std::unique_ptr<Classifier> build_classifier(const Config& config) {
  return std::make_unique<Classifier>(config.model, shape_of(config.task));
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

EncodedQuestions encoded(const Member& member, const Questions& list, Index first, Index count) {
  EncodedQuestions questions;
  member.model->encode_questions(list, first, count,
                                 {.seed = member.config.seed,
                                  .purpose = Purpose::evaluation,
                                  .first = static_cast<std::uint64_t>(first)},
                                 questions);
  return questions;
}

EncodedQuestions encoded(const Member& member, const Questions& list) {
  return encoded(member, list, 0, list.size());
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

Member load_member(const std::string& run, const std::string& file, Finite finite) {
  const Config config = load_config(run);
  const std::string path = run + "/" + file;
  SafetensorsFile read = read_safetensors(path);
  if (const auto made = read.metadata.find(kSettingsHash); made != read.metadata.end())
    check_made_with(run, config, made->second, path);
  Member member{.config = config, .model = build_model(config), .weights = {}};
  member.weights = Weights(member.model->layout(), DType::f32);
  take_weights(read, path, member.weights, finite);
  member.weights.pack();
  member.metadata = std::move(read.metadata);
  member.weights_hash = std::move(read.checksum);
  return member;
}

}  // namespace heddle
