// Tokens to vectors: a row per token plus what the position encoding adds.
#pragma once

#include "heddle/nn/lookup.hpp"
#include "heddle/nn/position/position.hpp"

namespace heddle {

class Embedding {
 public:
  Embedding(const Builder& at, Index vocabulary, Index width, Position position)
      : token_(at.table("token", vocabulary, width, {.mean = 0, .deviation = 1},
                        TapRole::token_table)),
        position_(std::move(position)),
        out_(at.tap("out", axes::kStream, {width}, TapRole::embedding)) {}

  /// token[id] + position[place] → [batch, length, width]. Where rows repeat, and neither gradients
  /// nor a watcher stand in the way, `lookup` tells which are the same.
  Var forward(Run& run, const Tokens& tokens, Lookup& lookup) const {
    const Var& table = run.weight(token_);
    EmbeddingArgs args{.table = table,
                       .ids = tokens.ids,
                       .positions = nullptr,
                       .position_ids = {},
                       .batch = tokens.batch,
                       .length = tokens.length};
    PositionRows places;
    if (position_.acts()) {
      places = position_.rows(run, tokens, table.value.dtype());
      args.positions = &places.table;
      args.position_ids = places.ids;
    }
    const bool on_tape = table.tape != nullptr || places.table.tape != nullptr;
    lookup = on_tape || run.watched({out_}) ? Lookup{} : look_up(args);
    return lookup.all.empty() ? run.tap(out_, embedding(args)) : Var{lookup.all};
  }

 private:
  WeightId token_;
  Position position_;
  TapId out_;
};

}  // namespace heddle
