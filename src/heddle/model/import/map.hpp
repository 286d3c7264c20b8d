// What a map file says about weights that another program trained: the settings of the model, and
// which of its tensors become which of our weights. docs/import.md describes the file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/config/config.hpp"
#include "heddle/tensor/view.hpp"

namespace heddle {

/// Rows of a tensor of theirs: all of it, one of three equal parts (q, k, v of a packed
/// projection), or a range with both ends in it.
struct RowPart {
  enum class Kind : std::uint8_t { all, third, range };
  Kind kind = Kind::all;
  Index first = 0;  ///< of a range; of a third: 0, 1 or 2
  Index last = 0;   ///< of a range
};

/// Where the numbers of a weight come from.
struct TensorSource {
  std::string from{};  ///< a tensor of theirs; empty: every number is `fill`
  double fill = 0;
  RowPart rows{};
  std::optional<bool> transpose{};  ///< unsaid: matrices are, as a torch Linear's is [out, in]
  double scale = 1;
};

/// Weights of ours whose name is `ours` with a number for {i}, and where they may come from: the
/// first choice that the file has. The same number stands for {i} in `from`.
struct TensorRule {
  std::string ours;
  std::vector<TensorSource> choices;
};

/// For each token (or class) of ours the number it has with them; none: they do not have it.
using TheirIds = std::vector<std::optional<Index>>;

struct ImportMap {
  Config config;
  std::string layout;                     ///< a shipped mapping; empty: none
  std::optional<std::string> prefix;      ///< where that layout begins; unsaid: it is looked for
  std::vector<TensorRule> tensors;        ///< beyond the layout, and instead of it
  TheirIds source_tokens, target_tokens;  ///< empty: as ours
  TheirIds classes;                       ///< empty: as ours
  std::vector<std::string> head;          ///< one or two Linear modules of a classifier's head
  std::vector<std::string> sinusoids;     ///< tables that must be our sinusoids
  std::vector<std::string> ignore;        ///< patterns of tensors that nothing uses
};

/// UsageError, one line, for anything that is no such map; the caller adds the file's name.
ImportMap parse_import_map(std::string_view json_text);
/// The same from a file, with its name; FileError if it cannot be read.
ImportMap load_import_map(const std::string& path);

}  // namespace heddle
