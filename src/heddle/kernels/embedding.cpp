// Embedding rows: float to the vector kernels, double to the reference.
#include "heddle/kernels/embedding.hpp"

#include "heddle/kernels/reference/embedding.hpp"
#include "heddle/kernels/scratch.hpp"

namespace heddle::kernels {

void embedding(const Embedding<float>& args) {
  active_table().embedding({.rows = args.y.shape[0],
                            .columns = args.y.shape[1],
                            .table = raw(args.table),
                            .ids = args.ids,
                            .positions = raw(args.positions),
                            .position_ids = args.position_ids,
                            .y = raw(args.y)});
}
void embedding(const Embedding<double>& args) {
  reference::embedding(args);
}

void embedding_backward(Matrix<const float> dy, const std::int32_t* ids, Matrix<float> dtable) {
  active_table().embedding_backward({.rows = dy.shape[0],
                                     .columns = dy.shape[1],
                                     .dy = raw(dy),
                                     .ids = ids,
                                     .dtable = raw(dtable)});
}
void embedding_backward(Matrix<const double> dy, const std::int32_t* ids, Matrix<double> dtable) {
  reference::embedding_backward(dy, ids, dtable);
}

}  // namespace heddle::kernels
