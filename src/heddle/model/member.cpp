// See member.hpp.
#include "heddle/model/member.hpp"

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/config/load.hpp"
#include "heddle/model/checkpoint.hpp"
#include "heddle/task/encoding.hpp"

namespace heddle {

std::unique_ptr<Seq2Seq> build_model(const Config& config) {
  const AdditionEncoding encoding(config.task);
  return std::make_unique<Seq2Seq>(config.model,
                                   SequenceSizes{.vocabulary = kVocabulary,
                                                 .source_length = encoding.source_length(),
                                                 .target_length = encoding.target_length()});
}

Member make_member(const Config& config) {
  Member member;
  member.config = config;
  member.model = build_model(config);
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
  Member member;
  member.config = load_config(run);
  member.model = build_model(member.config);
  member.weights = Weights(member.model->layout(), DType::f32);
  load_weights(run + "/" + file, member.weights);
  member.weights.pack();
  return member;
}

}  // namespace heddle
