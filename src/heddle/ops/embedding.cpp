// See embedding.hpp.
#include "heddle/ops/embedding.hpp"

#include "heddle/kernels/embedding.hpp"
#include "heddle/tensor/dispatch.hpp"

namespace heddle {
namespace {

template <class T>
void scatter(Backprop& b, int input, const std::int32_t* ids) {
  if (!b.wants(input)) return;
  const GradientSlot slot = b.slot(input);
  const Tensor& g = slot.gradient;
  if (!slot.accumulate) std::memset(g.write_shared<T>(), 0, g.bytes());
  kernels::embedding_backward(b.dy().rows<T>(), ids,
                              matrix(g.write_shared<T>(), g.dim(0), g.dim(1)));
}

void check_rows(const std::int32_t* ids, Index count, Index rows) {
  for (Index i = 0; i < count; ++i)
    check<ShapeError>(ids[i] >= 0 && ids[i] < rows, "embedding: id {} in a table of {} rows",
                      ids[i], rows);
}

}  // namespace

void check_ids(const EmbeddingArgs& args) {
  const Index count = args.batch * args.length;
  check_rows(args.ids, count, args.table.value.dim(0));
  if (args.positions != nullptr)
    check_rows(args.position_ids.data(), count, args.positions->value.dim(0));
}

Var embedding(const EmbeddingArgs& args) {
  const Tensor& table = args.table.value;
  const Index width = table.dim(1);
  check_ids(args);
  Tensor y = Tensor::uninitialised({args.batch, args.length, width}, table.dtype());
  dispatch(y.dtype(), [&]<class T>() {
    kernels::Embedding<T> e{.table = table.rows<T>(), .ids = args.ids, .y = y.write_rows<T>()};
    if (args.positions != nullptr) {
      e.positions = args.positions->value.rows<T>();
      e.position_ids = args.position_ids.data();
    }
    kernels::embedding(e);
  });
  return record(y, {&args.table, args.positions},
                [ids = args.ids, position_ids = args.position_ids](Backprop& b) {
                  dispatch(b.dy().dtype(), [&]<class T>() {
                    scatter<T>(b, 0, ids);
                    if (b.wants(1)) scatter<T>(b, 1, position_ids.data());
                  });
                });
}

}  // namespace heddle
