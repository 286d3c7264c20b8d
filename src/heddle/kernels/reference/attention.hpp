// Attention as the formula says, in double, one query at a time.
#pragma once

#include "heddle/kernels/attention.hpp"

namespace heddle::kernels::reference {

void attention_forward(const AttentionForward<double>& args);
void attention_backward(const AttentionBackward<double>& args);

}  // namespace heddle::kernels::reference
