// Cross-entropy and argmax as the formula says, in double.
#pragma once

#include "heddle/kernels/loss.hpp"

namespace heddle::kernels::reference {

void cross_entropy(const CrossEntropy<double>& args);
void argmax(Matrix<const double> logits, std::int32_t* best);

}  // namespace heddle::kernels::reference
