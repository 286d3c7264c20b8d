// Table rows out, and their gradients back in.
#include "heddle/kernels/cpu/kernels.hpp"

namespace heddle::kernels::HEDDLE_ISA {

void embedding(const RawEmbedding& args) {
  for (Index i = 0; i < args.rows; ++i) {
    const float* row = args.table.data + args.ids[i] * args.table.stride;
    const float* position = args.positions.data
                                ? args.positions.data + args.position_ids[i] * args.positions.stride
                                : nullptr;
    float* y = args.y.data + i * args.y.stride;
    for_each_vec(args.columns, [&](Index j, Index lanes) {
      Vec value = load_some(row + j, lanes);
      if (position) value += load_some(position + j, lanes);
      store_some(y + j, value, lanes);
    });
  }
}

void embedding_backward(const RawEmbeddingBackward& args) {
  for (Index i = 0; i < args.rows; ++i) {
    const float* dy = args.dy.data + i * args.dy.stride;
    float* row = args.dtable.data + args.ids[i] * args.dtable.stride;
    for_each_vec(args.columns, [&](Index j, Index lanes) {
      store_some(row + j, load_some(row + j, lanes) + load_some(dy + j, lanes), lanes);
    });
  }
}

}  // namespace heddle::kernels::HEDDLE_ISA
