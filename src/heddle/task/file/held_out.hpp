// Which examples of a file are held out for validation and test.
#pragma once

#include <string>

#include "heddle/task/file/example_set.hpp"

namespace heddle {

/// UsageError unless the shares are at least 0 and leave something to train on.
void check_shares(const ExampleOptions& options);

/// Holds out whole inputs, in the order of a hash of their texts and the seed: validation from the
/// front, test from the back, each its share of all examples (at least one, at most
/// options.most_held_out). An input whose tokens or label training would lack is passed over, and
/// its examples are counted in set.moved_to_training. Where an input has more examples than the
/// share allows, the next is tried; where all have, the smallest is taken.
void choose_held_out(ExampleSet& set, const ExampleOptions& options);

/// FileError, with the line, unless the file's own splits leave training with every token and
/// label.
void check_own_splits(const ExampleSet& set, const std::string& path);

}  // namespace heddle
