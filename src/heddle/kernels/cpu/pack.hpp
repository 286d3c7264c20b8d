// Panels: the layout of a right-hand operand B [depth, columns] that the micro-kernel reads
// straight through. B is cut into panels of kLanes columns, of which a tile takes one or several; a
// panel stores its rows one after another; the last one is filled up with zeros.
#pragma once

#include "heddle/kernels/cpu/tile.hpp"

namespace heddle::kernels::HEDDLE_ISA {
namespace {
// NOLINTBEGIN(modernize-avoid-c-arrays): see tile.hpp

/// Panels of B, given B.
inline void pack_panels(const float* from, Index stride, Index depth, Index columns, float* to) {
  for_each_vec(columns, [&](Index column, Index lanes) {
    for (Index p = 0; p < depth; ++p, to += kLanes)
      store(to, load_some(from + p * stride + column, lanes));
  });
}

/// One step of a transposition: the lanes of a and b that lie `Distance` apart, crosswise.
template <int Distance, int... I>
[[gnu::always_inline]] inline void cross(Vec& a, Vec& b, LaneList<I...> /*lanes*/) {
  const Vec first = __builtin_shufflevector(a, b, (I & Distance ? (I ^ Distance) + kLanes : I)...);
  const Vec second = __builtin_shufflevector(a, b, (I & Distance ? I + kLanes : (I ^ Distance))...);
  a = first;
  b = second;
}
/// Transposes a square of kLanes × kLanes numbers; for Rows < kLanes only blocks of Rows × Rows
/// within it: then lane block g of vector i holds column g·Rows + i.
template <int Rows, int Distance = Rows / 2>
[[gnu::always_inline]] inline void transpose(Vec (&rows)[static_cast<std::size_t>(Rows)]) {
  if constexpr (Distance > 0) {
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i)
      if ((i & Distance) == 0) cross<Distance>(rows[i], rows[i + Distance], AllLanes{});
    transpose<Rows, Distance / 2>(rows);
  }
}

/// Lane j of columns[p] = from[j·stride + p] for j < rows ≤ Rows and p < depth ≤ kLanes. Half of
/// kLanes rows take half of the work. The lanes beyond `rows` become 0, those beyond Rows rubbish.
template <int Rows>
[[gnu::always_inline]] inline void load_columns(const float* from, Index stride, Index rows,
                                                Index depth, Vec (&columns)[kLanes]) {
  static_assert(Rows == kLanes || Rows == kLanes / 2);
  Vec block[static_cast<std::size_t>(Rows)];
#pragma GCC unroll 16
  for (int j = 0; j < Rows; ++j) block[j] = j < rows ? load_some(from + j * stride, depth) : Vec{};
  transpose<Rows>(block);
#pragma GCC unroll 16
  for (int p = 0; p < kLanes; ++p)
    columns[p] = p < Rows ? block[p] : exchanged<kLanes / 2>(block[p % Rows], AllLanes{});
}

/// to[p·to_step + j] = from[j·stride + p] for j < rows ≤ kLanes and p < depth ≤ kLanes. The lanes
/// beyond `rows` become 0.
inline void transpose_block(const float* from, Index stride, Index rows, Index depth, float* to,
                            Index to_step) {
  Vec columns[kLanes];
  load_columns<int{kLanes}>(from, stride, rows, depth, columns);
#pragma GCC unroll 16
  for (int p = 0; p < kLanes; ++p)
    if (p < depth) store(to + p * to_step, columns[p]);
}

/// The same for at most half as many rows, with half the work. The other lanes hold rubbish.
inline void transpose_half_block(const float* from, Index stride, Index rows, Index depth,
                                 float* to, Index to_step) {
  Vec columns[kLanes];
  load_columns<int{kLanes / 2}>(from, stride, rows, depth, columns);
#pragma GCC unroll 16
  for (int p = 0; p < kLanes; ++p)
    if (p < depth) store(to + p * to_step, columns[p]);
}

/// Panels of B, given Bᵀ [columns, depth].
inline void pack_panels_transposed(const float* from, Index stride, Index depth, Index columns,
                                   float* to) {
  for (Index column = 0; column < columns; column += kLanes)
    for (Index p = 0; p < depth; p += kLanes)
      transpose_block(from + column * stride + p, stride, smaller(kLanes, columns - column),
                      smaller(kLanes, depth - p), to + column * depth + p * kLanes, kLanes);
}

// NOLINTEND(modernize-avoid-c-arrays)
}  // namespace
}  // namespace heddle::kernels::HEDDLE_ISA
