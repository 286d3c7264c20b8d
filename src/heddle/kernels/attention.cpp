// Fused attention: float to the vector kernels, double to the reference.
#include "heddle/kernels/attention.hpp"

#include "heddle/kernels/reference/attention.hpp"
#include "heddle/kernels/scratch.hpp"

namespace heddle::kernels {
namespace {

RawConstRows raw(HeadRows<const float> rows) {
  return {rows.data, rows.stride};
}
RawRows raw(HeadRows<float> rows) {
  return {rows.data, rows.stride};
}
RawAttentionShape raw(const AttentionShape& s) {
  return {s.batch,  s.heads,  s.queries,   s.keys,
          s.d,      s.causal, s.offset,    s.key_valid,
          static_cast<float>(s.scale)};
}

}  // namespace

void attention_forward(const AttentionForward<float>& args) {
  const Table& table = active_table();
  const Scratch scratch(table.attention_scratch(args.shape.keys, args.shape.d));
  table.attention_forward({raw(args.shape), raw(args.q), raw(args.k), raw(args.v), raw(args.z),
                           args.lse, scratch.data()});
}
void attention_forward(const AttentionForward<double>& args) {
  reference::attention_forward(args);
}

void attention_backward(const AttentionBackward<float>& args) {
  const Table& table = active_table();
  const Scratch scratch(table.attention_scratch(args.shape.keys, args.shape.d));
  table.attention_backward({raw(args.shape), raw(args.q), raw(args.k), raw(args.v), raw(args.z),
                            raw(args.dz), args.lse, raw(args.dq), raw(args.dk), raw(args.dv),
                            scratch.data()});
}
void attention_backward(const AttentionBackward<double>& args) {
  reference::attention_backward(args);
}

}  // namespace heddle::kernels
