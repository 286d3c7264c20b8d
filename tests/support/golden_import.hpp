// The golden models of PyTorch in tests/golden/import: their maps, weights and what they put out.
#pragma once

#include <string>

#include "heddle/model/import/import.hpp"
#include "heddle/model/import/reference.hpp"
#include "heddle/model/member.hpp"

namespace heddle::testing {

/// tests/golden/import/<file>.
std::string golden_import_path(const std::string& file);

/// One of them: "adder", "before", "sorter" or "sorter_single", as tools/golden_import.py knows
/// them.
struct GoldenImport {
  explicit GoldenImport(const std::string& name);

  ImportMap map;
  ForeignFile file;      ///< the state dict
  ForeignFile dump;      ///< tokens and logits in float
  SafetensorsFile more;  ///< "logits64", "masked", "masked64"; metadata "head"

  std::string head() const { return more.metadata.at("head"); }
  bool classifier() const { return map.config.task.name == TaskKind::sortedness; }
};

/// Its logits, computed here: weights in float or double, with edits on the way or not.
struct ImportedLogits {
  Tensor logits;
  Reference reference;
  TokenIds ids;
};
ImportedLogits imported_logits(const GoldenImport& golden, DType dtype,
                               const std::string& masked_head = "");

/// The adder as a member.
Member imported_member(const GoldenImport& golden);

}  // namespace heddle::testing
