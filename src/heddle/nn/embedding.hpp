// Tokens to vectors: a row per token plus what the position encoding adds.
#pragma once

#include "heddle/nn/position/position.hpp"

namespace heddle {

/// Token ids of `batch` sequences of `length`, the first token standing at `offset`.
struct Tokens {
  const std::int32_t* ids = nullptr;  ///< [batch, length]; must outlive the backward pass
  Index batch = 0, length = 0;
  Index offset = 0;
  const std::uint8_t* valid = nullptr;  ///< [batch, length], 0 = padding; null: no padding
};

class Embedding {
 public:
  Embedding(const Builder& at, Index vocabulary, Index width, Position position)
      : token_(at.table("token", vocabulary, width, {.mean = 0, .deviation = 1})),
        position_(std::move(position)),
        out_(at.tap("out", axes::kStream, {width})) {}

  /// token[id] + position[place] → [batch, length, width].
  Var forward(Run& run, const Tokens& tokens) const {
    const Var& table = run.weight(token_);
    EmbeddingArgs args{.table = table,
                       .ids = tokens.ids,
                       .positions = nullptr,
                       .position_ids = {},
                       .batch = tokens.batch,
                       .length = tokens.length};
    Var places;
    if (position_.acts()) {
      places = position_.table(run, table.value.dtype());
      args.positions = &places;
      args.position_ids = position_.rows(tokens.batch, tokens.length, tokens.offset);
    }
    return run.tap(out_, embedding(args));
  }

 private:
  WeightId token_;
  Position position_;
  TapId out_;
};

}  // namespace heddle
