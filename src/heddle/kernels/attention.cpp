// Fused attention: float to the vector kernels, double to the reference.
#include "heddle/kernels/attention.hpp"

#include "heddle/kernels/reference/attention.hpp"
#include "heddle/kernels/scratch.hpp"
#include "heddle/kernels/work_count.hpp"

namespace heddle::kernels {
namespace {

RawConstRows raw(HeadRows<const float> rows) {
  return {.data = rows.data, .stride = rows.stride};
}
RawRows raw(HeadRows<float> rows) {
  return {.data = rows.data, .stride = rows.stride};
}
RawAttentionShape raw(const AttentionShape& s) {
  return {.batch = s.batch,
          .heads = s.heads,
          .queries = s.queries,
          .keys = s.keys,
          .d = s.d,
          .causal = s.causal,
          .offset = s.offset,
          .key_valid = s.key_valid,
          .scale = static_cast<float>(s.scale)};
}
RawDistanceBias raw(DistanceBias<const float> bias) {
  return {.table = bias.table, .span = bias.span};
}
Index scratch_for(const Table& table, const AttentionShape& s, DistanceBias<const float> bias) {
  return table.attention_scratch(s.keys, s.d, bias.table ? bias.span : 0);
}

/// One product of queries with keys in every head: forward has two of them, backward five. What a
/// mask hides is counted too.
double score_operations(const AttentionShape& s) {
  return static_cast<double>(s.batch * s.heads) * product_operations(s.queries, s.d, s.keys);
}

}  // namespace

void attention_forward(const AttentionForward<float>& args) {
  const Table& table = active_table();
  const Scratch scratch(scratch_for(table, args.shape, args.bias));
  table.attention_forward({.shape = raw(args.shape),
                           .q = raw(args.q),
                           .k = raw(args.k),
                           .v = raw(args.v),
                           .z = raw(args.z),
                           .lse = args.lse,
                           .bias = raw(args.bias),
                           .scratch = scratch.data()});
  count_operations(2 * score_operations(args.shape));
}
void attention_forward(const AttentionForward<double>& args) {
  reference::attention_forward(args);
}

void attention_backward(const AttentionBackward<float>& args) {
  const Table& table = active_table();
  const Scratch scratch(scratch_for(table, args.shape, args.bias));
  table.attention_backward({.shape = raw(args.shape),
                            .q = raw(args.q),
                            .k = raw(args.k),
                            .v = raw(args.v),
                            .z = raw(args.z),
                            .dz = raw(args.dz),
                            .lse = args.lse,
                            .dq = raw(args.dq),
                            .dk = raw(args.dk),
                            .dv = raw(args.dv),
                            .bias = raw(args.bias),
                            .dbias = args.dbias,
                            .scratch = scratch.data()});
  count_operations(5 * score_operations(args.shape));
}
void attention_backward(const AttentionBackward<double>& args) {
  reference::attention_backward(args);
}

}  // namespace heddle::kernels
