// One row per operation: its inputs and how it is called. Gradient checks, parity of float with
// double and accumulation of gradients are all driven by this table.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "heddle/autograd/tape.hpp"

namespace heddle::testing {

struct OpInput {
  Shape shape;
  double size = 1;      ///< entries in [−size, size)
  bool weight = false;  ///< may stand on a tape as a weight, its gradient a window of a buffer
  bool away = false;    ///< ±3 in turn: keeps what it is added to away from a kink at 0
};

struct OpCase {
  std::string name;  ///< letters, digits and _
  std::vector<OpInput> inputs;
  std::function<Var(std::span<const Var>)> op;
  double terms = 1;  ///< in the longest sum of its value or gradients
};

const std::vector<OpCase>& op_cases();
/// Those of a family with a file of its own.
void add_pooling_cases(std::vector<OpCase>& rows);
/// Those of positions inside attention and of normalisers.
void add_relative_cases(std::vector<OpCase>& rows);

/// Fresh inputs of a case, the same numbers in both precisions.
std::vector<Tensor> inputs_of(const OpCase& row, DType dtype);

/// Σ y∘c for a c of its own per `stream`: reaches every entry of y with another weight.
Var reduced(const Var& y, const std::string& stream = "reduce");

/// What a test is called: the row's name.
template <class Info>
std::string row_name(const Info& info) {
  return info.param.name;
}

}  // namespace heddle::testing
