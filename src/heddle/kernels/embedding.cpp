// Embedding rows: float to the vector kernels, double to the reference.
#include "heddle/kernels/embedding.hpp"

#include "heddle/kernels/reference/embedding.hpp"
#include "heddle/kernels/scratch.hpp"

namespace heddle::kernels {

void embedding(const Embedding<float>& args) {
  active_table().embedding({args.y.shape[0], args.y.shape[1], raw(args.table), args.ids,
                            raw(args.positions), args.position_ids, raw(args.y)});
}
void embedding(const Embedding<double>& args) {
  reference::embedding(args);
}

void embedding_backward(Matrix<const float> dy, const std::int32_t* ids, Matrix<float> dtable) {
  active_table().embedding_backward({dy.shape[0], dy.shape[1], raw(dy), ids, raw(dtable)});
}
void embedding_backward(Matrix<const double> dy, const std::int32_t* ids, Matrix<double> dtable) {
  reference::embedding_backward(dy, ids, dtable);
}

}  // namespace heddle::kernels
