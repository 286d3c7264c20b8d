// What a training comes to, bit by bit, whatever its task.
#pragma once

#include <vector>

#include "heddle/config/config.hpp"
#include "heddle/tensor/tensor.hpp"

namespace heddle::testing {

/// Everything that training has moved after so many steps.
std::vector<Tensor> trained(const Config& config, int threads, int steps);

/// The same buffers, bit for bit.
void expect_same(const std::vector<Tensor>& a, const std::vector<Tensor>& b);

/// A run that is stopped every few steps ends with the files of one that never was.
void expect_stops_unseen(const Config& config);

}  // namespace heddle::testing
