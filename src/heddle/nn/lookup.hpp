// Rows that occur again and again. Before a first layer has mixed them, the rows of a stream differ
// only in their token and their place: dozens among thousands. What acts on rows one by one need be
// done for those alone, with the same bits.
#pragma once

#include "heddle/ops/embedding.hpp"

namespace heddle {

/// all[i] = rows[which[i]]. Empty: nothing is known about any stream.
struct Lookup {
  Tensor rows;  ///< [1, different rows, width]
  Tensor all;   ///< [batch, length, width]
  Ids which;    ///< [batch, length]

  /// Whether x is that very stream.
  bool describes(const Var& x) const { return x.value.is(all); }
  /// [1, different rows, n] → [batch, length, n]: a row for every place.
  Var spread(const Var& y) const;
};

/// The embedding of these tokens as a lookup; empty where too few rows occur twice.
Lookup look_up(const EmbeddingArgs& args);

}  // namespace heddle
