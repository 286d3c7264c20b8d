// Layer normalisation as the formula says, in double.
#pragma once

#include "heddle/kernels/norm.hpp"

namespace heddle::kernels::reference {

void layer_norm(const LayerNorm<double>& args);
void layer_norm_backward(const LayerNormBackward<double>& args);

}  // namespace heddle::kernels::reference
