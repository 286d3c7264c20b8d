// The numbers of one weight out of a tensor of theirs: a part of its rows, transposed, scaled, with
// tokens in our order.
#pragma once

#include <vector>

#include "heddle/model/import/plan.hpp"
#include "heddle/model/import/tokens.hpp"

namespace heddle {

/// A tensor of theirs as doubles in the shape that ours has, or as near to it as it gets: axes of
/// extent 1 that ours does not have are dropped. FileError for whole numbers.
Tensor numbers_for(const ForeignTensor& tensor, int rank, const ForeignFile& file);

/// The numbers of a weight in its own order. FileError for a shape that does not fit; both shapes
/// are named.
std::vector<double> values_for(const WeightSpec& spec, const Filling& filling, const TokenIds& ids,
                               const ForeignFile& file);

/// The same for the four weights of a classifier's head, in the order w_in, b_in, w_out, b_out.
///
/// One Linear z = W x + b: with h = (relu(w x), relu(−w x)) for each class, z = h₊ − h₋ + b, which
/// is W x + b exactly, if there are two hidden numbers for each class. Two with a ReLU between:
/// themselves; hidden numbers that they do not have are zeros.
std::vector<std::vector<double>> head_values(const WeightLayout& layout,
                                             const std::vector<HeadLayer>& layers,
                                             const TokenIds& ids, const ForeignFile& file);

}  // namespace heddle
