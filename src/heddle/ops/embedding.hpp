// Token rows plus position rows.
#pragma once

#include <cstdint>
#include <vector>

#include "heddle/autograd/tape.hpp"
#include "heddle/base/index.hpp"

namespace heddle {

/// Ids made on the way, kept alive by whoever still needs them.
struct Ids {
  BlockRef block;

  Ids() = default;
  explicit Ids(Index count) : block(to_size(count) * sizeof(std::int32_t)) {}
  std::int32_t* data() const { return reinterpret_cast<std::int32_t*>(block.bytes()); }
};

/// table[ids[i]] + positions[position_ids[i]]. `positions` may be null. `ids` must outlive the
/// backward pass.
struct EmbeddingArgs {
  const Var& table;
  const std::int32_t* ids = nullptr;
  const Var* positions = nullptr;
  Ids position_ids;
  Index batch = 0, length = 0;
};
/// Throws unless every id has a row.
void check_ids(const EmbeddingArgs& args);
/// → [batch, length, width].
Var embedding(const EmbeddingArgs& args);

}  // namespace heddle
