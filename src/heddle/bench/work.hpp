// How many operations a piece of work has on paper: the nominal count that speeds are given in.
#pragma once

#include "heddle/model/seq2seq.hpp"

namespace heddle {

/// Floating-point operations of one sample's forward pass with teacher forcing: 2·rows·in·out for
/// every product and 4·queries·keys·width for every attention. Training counts three times that.
double forward_operations(const ModelConfig& model, const SequenceSizes& sizes);

}  // namespace heddle
