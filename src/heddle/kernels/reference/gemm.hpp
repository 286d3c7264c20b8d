// Matrix products as the formula says, in double. "Panels" are W (or Wᵀ) itself, row by row.
#pragma once

#include "heddle/kernels/gemm.hpp"

namespace heddle::kernels::reference {

void pack(Matrix<const double> w, double* panels);
void pack_transposed(Matrix<const double> w, double* panels);
void matmul(Matrix<const double> x, Panels<double> w, const Epilogue<double>& epilogue,
            Matrix<double> y);
void weight_gradient(const WeightGradient<double>& args);

}  // namespace heddle::kernels::reference
