// See families.hpp. One line per family.
#include "heddle/model/families.hpp"

#include <algorithm>
#include <array>

#include "heddle/model/classifier/classifier.hpp"
#include "heddle/model/seq2seq/seq2seq.hpp"

namespace heddle {
namespace {

struct Family {
  FamilyKind kind;
  std::unique_ptr<Model> (*build)(const ModelConfig& config, const TaskShape& shape);
};

template <class M>
std::unique_ptr<Model> built(const ModelConfig& config, const TaskShape& shape) {
  return std::make_unique<M>(config, shape);
}

constexpr std::array kFamilies{
    Family{FamilyKind::encoder_decoder, built<Seq2Seq>},
    Family{FamilyKind::classifier, built<Classifier>},
};

}  // namespace

std::unique_ptr<Model> build_model(const Config& config) {
  const auto* found = std::ranges::find(kFamilies, config.family(), &Family::kind);
  check(found != kFamilies.end(), "the family {} cannot be built", field_text(config.family()));
  return found->build(config.model, shape_of(config.task));
}

}  // namespace heddle
