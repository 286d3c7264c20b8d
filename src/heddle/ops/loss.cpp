// See loss.hpp.
#include "heddle/ops/loss.hpp"

#include "heddle/kernels/loss.hpp"
#include "heddle/tensor/dispatch.hpp"

namespace heddle {

Var cross_entropy(const Var& logits, const std::int32_t* targets, double weight) {
  const Index rows = logits.value.size() / logits.value.dim(-1);
  Tensor total = Tensor::uninitialised({1}, logits.value.dtype());
  Tensor dlogits;
  if (logits.tape != nullptr)
    dlogits = Tensor::uninitialised(logits.value.shape(), logits.value.dtype());
  dispatch(total.dtype(), [&]<class T>() {
    Tensor losses = Tensor::uninitialised({rows}, total.dtype());
    kernels::CrossEntropy<T> args{.logits = logits.value.rows<T>(),
                                  .targets = targets,
                                  .weight = static_cast<T>(weight),
                                  .loss = losses.write<T>()};
    if (!dlogits.empty()) args.dlogits = dlogits.write_rows<T>();
    kernels::cross_entropy(args);
    double sum = 0;
    for (const T loss : losses.flat<T>()) sum += static_cast<double>(loss);
    *total.write<T>() = static_cast<T>(sum * weight);
  });
  return record(total, {&logits}, [dlogits](Backprop& b) {
    dispatch(dlogits.dtype(), [&]<class T>() {
      const T by = *b.dy().data<T>();
      if (by == T{1}) {
        b.add(0, dlogits);
        return;
      }
      Tensor scaled = Tensor::uninitialised(dlogits.shape(), dlogits.dtype());
      T* out = scaled.write<T>();
      for (const T g : dlogits.flat<T>()) *out++ = by * g;
      b.add(0, scaled);
    });
  });
}

}  // namespace heddle
