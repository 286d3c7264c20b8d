// Weights and activations: our files and others', maps from one to the other, patterns of taps.
#include <cstring>

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/tensor/foreign.hpp"
#include "heddle/tensor/npz.hpp"
#include "heddle/tensor/safetensors.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/support/golden_import.hpp"
#include "tests/support/tiny_model.hpp"

namespace heddle::testing {
namespace {

const GoldenImport& adder() {
  static const GoldenImport kAdder("adder");
  return kAdder;
}

/// A model that is made in a moment: what the map is about, not how much of it.
bool is_small(const Config& config) {
  const ModelConfig& model = config.model;
  return model.d_model <= 64 && model.d_ff <= 256 && model.encoder_layers <= 2 &&
         model.decoder_layers <= 2 && model.layers <= 2 && model.position_rows <= 1024 &&
         model.position_starts <= 64;
}

}  // namespace

void fuzz_safetensors(std::string_view bytes) {
  SafetensorsFile before;
  if (!accepted([&] { before = read_safetensors(file_of(bytes)); })) return;
  const std::string copy = folder_of("copy", "") + "/copy";
  write_safetensors(copy, before.tensors, before.metadata);
  const SafetensorsFile after = read_safetensors(copy);
  require(after.metadata == before.metadata && after.tensors.size() == before.tensors.size(),
          "a file that changes");
  for (std::size_t i = 0; i < after.tensors.size(); ++i)
    require(after.tensors[i].name == before.tensors[i].name &&
                after.tensors[i].tensor.shape() == before.tensors[i].tensor.shape(),
            "a tensor that changes");
}

void fuzz_foreign(std::string_view bytes) {
  accepted([&] {
    for (const ForeignTensor& tensor : read_foreign(file_of(bytes)).tensors)
      require(tensor.numbers().size() == tensor.shape.size(), "numbers for a shape");
  });
}

/// Names, shapes and numbers of arrays from the bytes, one a line: the first letter is the rank.
void fuzz_npz(std::string_view bytes) {
  const std::string path = folder_of("arrays", "") + "/arrays";
  NpzWriter writer(path);
  std::size_t names = 0;
  for (const std::string& line : split(bytes, '\n')) {
    if (line.empty()) continue;
    Shape shape;
    for (std::size_t i = 0; i < static_cast<unsigned char>(line[0]) % 4U; ++i)
      shape.push_back(static_cast<Index>(line[line.size() - 1 - i % line.size()]) & 3);
    const std::vector<float> numbers(to_size(shape.size()), 1.5F);
    const std::string name = line.substr(1);
    if (accepted([&] { writer.add(name, shape, std::span(numbers)); })) names += name.size();
  }
  writer.commit();
  const std::string file = read_file(path);
  require(file.size() >= 22 + names, "an archive without its end");
  require(file.compare(file.size() - 22, 4, "PK\x05\x06") == 0, "an archive's end");
}

void fuzz_import_map(std::string_view bytes) {
  ImportMap map;
  if (!accepted([&] { map = parse_import_map(bytes); }) || !is_small(map.config)) return;
  const Member member = make_member(map.config);
  accepted([&] { (void)import_weights(map, adder().file, member.weights); });
}

void fuzz_reference(std::string_view bytes) {
  static const Member kMember = imported_member(adder());
  static const TokenIds kIds = token_ids(adder().map, kMember.model->layout());
  accepted([&] {
    const ForeignFile file = read_foreign(file_of(bytes));
    const Reference reference =
        read_reference(file, adder().map.config, kIds, kMember.model->layout());
    const auto words = static_cast<std::size_t>(reference.rows * reference.source_length);
    require(reference.source.size() == words, "tokens for a shape");
    if (words > 256) return;
    const Tensor ours =
        reference_logits(*kMember.model, kMember.weights, adder().map.config, reference);
    (void)compare_logits(ours, reference, adder().map.config, kIds);
  });
}

void fuzz_taps(std::string_view bytes) {
  static const TinyModel kModel(tiny_config());
  const TapTable& table = kModel.model().taps();
  accepted([&] {
    for (const TapId id : table.find(bytes))
      require(matches(bytes, table[id].path), "a tap that was not asked for");
  });
  for (const HeadSlice& slice : find_heads(table, bytes)) require(slice.tap >= 0, "no tap");
  accepted([&] { kModel.edits().on(bytes, copying()); });
}

}  // namespace heddle::testing
