// The naive twin that judges the vector kernels of cpu/.
#include "heddle/kernels/reference/embedding.hpp"

namespace heddle::kernels::reference {

/// y_i = table[id_i] + positions[position_i].
void embedding(const Embedding<double>& args) {
  for (Index i = 0; i < args.y.shape[0]; ++i)
    for (Index j = 0; j < args.y.shape[1]; ++j) {
      args.y(i, j) = args.table(args.ids[i], j);
      if (args.positions.data) args.y(i, j) += args.positions(args.position_ids[i], j);
    }
}

/// dtable[id_i] += dy_i.
void embedding_backward(Matrix<const double> dy, const std::int32_t* ids, Matrix<double> dtable) {
  for (Index i = 0; i < dy.shape[0]; ++i)
    for (Index j = 0; j < dy.shape[1]; ++j) dtable(ids[i], j) += dy(i, j);
}

}  // namespace heddle::kernels::reference
