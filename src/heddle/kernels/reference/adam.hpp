// AdamW as the formula says, in double.
#pragma once

#include "heddle/kernels/adam.hpp"

namespace heddle::kernels::reference {

void adamw(const AdamW<double>& args);
void move_average(std::span<const double> w, double decay, std::span<double> average);

}  // namespace heddle::kernels::reference
