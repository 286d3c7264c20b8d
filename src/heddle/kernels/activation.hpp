// The activations a network may use between two linear layers.
#pragma once

#include <cstdint>

namespace heddle::kernels {

enum class Activation : std::uint8_t { none, relu, gelu };

}  // namespace heddle::kernels
