// How many operations a piece of work has on paper: the nominal count that speeds are given in.
#pragma once

#include "heddle/task/shape.hpp"

namespace heddle {

/// Floating-point operations of one sample's forward pass with teacher forcing: 2·rows·in·out for
/// every product and 4·queries·keys·width for every attention. Training counts three times that.
double forward_operations(const ModelConfig& model, const TaskShape& shape);

/// The decoder's share of it, for an answer of `target` tokens.
double decoder_operations(const ModelConfig& model, const TaskShape& shape, Index target);

/// An answer as a course writes it: the encoder once, then for every token the decoder over the
/// whole prefix, nothing kept.
double generation_operations(const ModelConfig& model, const TaskShape& shape);

/// The forward pass of a classifier on one sequence of `length` tokens.
double classifier_operations(const ModelConfig& model, Index length);

}  // namespace heddle
