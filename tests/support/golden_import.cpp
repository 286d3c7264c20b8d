// See golden_import.hpp.
#include "tests/support/golden_import.hpp"

#include "tests/support/tiny_model.hpp"

namespace heddle::testing {
namespace {

std::string weights_of(const std::string& name) {
  return name == "sorter_single" ? "sorter" : name;
}

ImportedLogits logits_of(const GoldenImport& golden, const Model& model, DType dtype,
                         const std::string& masked_head) {
  Weights weights(model.layout(), dtype);
  ImportedLogits result;
  result.ids = import_weights(golden.map, golden.file, weights).ids;
  weights.pack();
  result.reference = read_reference(golden.dump, golden.map.config, result.ids, model.layout());
  Edits edits(model.taps());
  if (!masked_head.empty()) edits.on(masked_head, zeroing());
  result.logits = reference_logits(model, weights, golden.map.config, result.reference, &edits);
  return result;
}

}  // namespace

std::string golden_import_path(const std::string& file) {
  return std::string(HEDDLE_TEST_DATA) + "/golden/import/" + file;
}

GoldenImport::GoldenImport(const std::string& name)
    : map(load_import_map(golden_import_path(name + "_map.json"))),
      file(read_foreign(golden_import_path(weights_of(name) + ".safetensors"))),
      dump(read_foreign(golden_import_path(name + "_dump.safetensors"))),
      more(read_safetensors(golden_import_path(name + "_more.safetensors"))) {}

ImportedLogits imported_logits(const GoldenImport& golden, DType dtype,
                               const std::string& masked_head) {
  return logits_of(golden, *build_model(golden.map.config), dtype, masked_head);
}

Member imported_member(const GoldenImport& golden) {
  Member member = make_member(golden.map.config);
  import_weights(golden.map, golden.file, member.weights);
  member.weights.pack();
  return member;
}

}  // namespace heddle::testing
