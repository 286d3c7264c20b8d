// Embedding as the formula says, in double.
#pragma once

#include "heddle/kernels/embedding.hpp"

namespace heddle::kernels::reference {

void embedding(const Embedding<double>& args);
void embedding_backward(Matrix<const double> dy, const std::int32_t* ids, Matrix<double> dtable);

}  // namespace heddle::kernels::reference
