// The micro-kernel: one tile of a matrix product, held in registers from its first term to its
// last. Every product in the house (linear layers, their gradients, attention) is made of such
// tiles.
#pragma once

#include "heddle/kernels/cpu/simd.hpp"

namespace heddle::kernels::HEDDLE_ISA {
namespace {
// std::array would bring functions that all instruction sets share, and the linker keeps one of
// them. NOLINTBEGIN(modernize-avoid-c-arrays)

// The sums of a tile must fit in the registers beside one row of b and one broadcast number of a:
// 24 of 32 registers, or 12 of 16.
#if defined(__AVX512F__) || defined(__aarch64__)
constexpr int kTileRows = 12;
#else
constexpr int kTileRows = 6;
#endif
constexpr int kNarrowTileRows = 12;  // tiles of one vector
constexpr Index kPanelWidth = 2 * kLanes;

/// c[i][j] = bias[j] + init[i][j] + Σ_p a(i, p) b(p, j), the terms added one by one in the order of
/// p, so that an element's bits depend neither on the size of its tile nor on how p is cut into
/// blocks.
struct Tile {
  Index depth;  ///< the number of terms p
  const float* a;
  Index a_row, a_step;  ///< a(i, p) = a[i·a_row + p·a_step]
  const float* b;
  Index b_step;       ///< b(p, j) = b[p·b_step + j]; whole vectors are read
  const float* bias;  ///< may be null
  const float* init;  ///< may be null
  Index init_row;
  float* c;
  Index c_row;
  Index columns;  ///< of bias, init and c: nothing beyond is read or written
  bool relu;      ///< store max(c, 0)
};

/// The sums of one tile. Everything about them is unrolled, so that each becomes a register.
template <int Rows, int Vecs>
struct Sums {
  Vec at[static_cast<std::size_t>(Rows)][static_cast<std::size_t>(Vecs)];
};

/// Calls body(i, j, lanes) for every vector of a tile. Part: the last of a row is cut off.
template <int Rows, int Vecs, bool Part, class Body>
[[gnu::always_inline]] inline void for_each_sum(Index columns, Body body) {
#pragma GCC unroll 16
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 4
    for (int j = 0; j < Vecs; ++j)
      body(i, j, Part && j == Vecs - 1 ? columns - j * kLanes : Index{kLanes});
}

/// Adds what the sums start from.
template <int Rows, int Vecs, bool Part>
[[gnu::always_inline]] inline void start_tile(const Tile& t, Sums<Rows, Vecs>& sum) {
  if (t.bias)
    for_each_sum<Rows, Vecs, Part>(t.columns, [&](int i, int j, Index lanes) {
      sum.at[i][j] = load_some(t.bias + j * kLanes, lanes);
    });
  if (t.init)
    for_each_sum<Rows, Vecs, Part>(t.columns, [&](int i, int j, Index lanes) {
      sum.at[i][j] += load_some(t.init + i * t.init_row + j * kLanes, lanes);
    });
}

template <int Rows, int Vecs, bool Part>
[[gnu::always_inline]] inline void store_tile(const Tile& t, Sums<Rows, Vecs>& sum) {
  float* c = t.c;
  const Index c_row = t.c_row;
  if (t.relu)
    for_each_sum<Rows, Vecs, false>(t.columns, [&](int i, int j, Index /*lanes*/) {
      sum.at[i][j] = sum.at[i][j] < 0.0F ? Vec{} : sum.at[i][j];
    });
  for_each_sum<Rows, Vecs, Part>(t.columns, [&](int i, int j, Index lanes) {
    store_some(c + i * c_row + j * kLanes, sum.at[i][j], lanes);
  });
}

template <int Rows, int Vecs>
void run_tile(const Tile& t) {
  const bool part = t.columns < Vecs * kLanes;
  Sums<Rows, Vecs> sum{};
  if (part)
    start_tile<Rows, Vecs, true>(t, sum);
  else
    start_tile<Rows, Vecs, false>(t, sum);
  const float* a = t.a;
  const float* b = t.b;
  for (Index p = 0; p < t.depth; ++p, a += t.a_step, b += t.b_step) {
    Vec row[static_cast<std::size_t>(Vecs)];
#pragma GCC unroll 4
    for (int j = 0; j < Vecs; ++j) row[j] = load(b + j * kLanes);
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 4
      for (int j = 0; j < Vecs; ++j) sum.at[i][j] += splat(a[i * t.a_row]) * row[j];
  }
  if (part)
    store_tile<Rows, Vecs, true>(t, sum);
  else
    store_tile<Rows, Vecs, false>(t, sum);
}

using TileKernel = void (*)(const Tile&);

/// The kernel for a tile of `rows` rows and `columns` ≤ kPanelWidth columns.
inline TileKernel tile_kernel(Index rows, Index columns) {
  static constexpr TileKernel kNarrow[kNarrowTileRows] = {
      run_tile<1, 1>, run_tile<2, 1>,  run_tile<3, 1>,  run_tile<4, 1>,
      run_tile<5, 1>, run_tile<6, 1>,  run_tile<7, 1>,  run_tile<8, 1>,
      run_tile<9, 1>, run_tile<10, 1>, run_tile<11, 1>, run_tile<12, 1>};
  static constexpr TileKernel kWide[kTileRows] = {
      run_tile<1, 2>,  run_tile<2, 2>,  run_tile<3, 2>,
      run_tile<4, 2>,  run_tile<5, 2>,  run_tile<6, 2>,
#if defined(__AVX512F__) || defined(__aarch64__)
      run_tile<7, 2>,  run_tile<8, 2>,  run_tile<9, 2>,
      run_tile<10, 2>, run_tile<11, 2>, run_tile<12, 2>,
#endif
  };
  return columns > kLanes ? kWide[rows - 1] : kNarrow[rows - 1];
}

/// Cuts `rows` into tiles for panels of `columns` columns and calls body(first row, rows). What is
/// left for the last two tiles is shared between them: two middling tiles beat a full and a thin
/// one.
template <class Body>
[[gnu::always_inline]] inline void for_each_tile(Index rows, Index columns, Body body) {
  const Index most = columns > kLanes ? kTileRows : kNarrowTileRows;
  for (Index at = 0; at < rows;) {
    const Index left = rows - at;
    const Index take = left >= 2 * most ? most : left > most ? (left + 1) / 2 : left;
    body(at, take);
    at += take;
  }
}

/// c [rows, columns] = a b, or c + a b, tile by tile; b in panels of kPanelWidth columns.
struct Product {
  Index rows, columns, depth;
  const float* a;
  Index a_row, a_step;
  const float* b;
  Index b_panel, b_step;  ///< from panel to panel, from row to row
  float* c;
  Index c_row;
  bool accumulate;
};
inline void multiply(const Product& p) {
  for (Index column = 0; column < p.columns; column += kPanelWidth) {
    const Index columns = smaller(kPanelWidth, p.columns - column);
    const float* b = p.b + column / kPanelWidth * p.b_panel;
    for_each_tile(p.rows, columns, [&](Index row, Index rows) {
      float* c = p.c + row * p.c_row + column;
      tile_kernel(rows, columns)({.depth = p.depth,
                                  .a = p.a + row * p.a_row,
                                  .a_row = p.a_row,
                                  .a_step = p.a_step,
                                  .b = b,
                                  .b_step = p.b_step,
                                  .bias = nullptr,
                                  .init = p.accumulate ? c : nullptr,
                                  .init_row = p.c_row,
                                  .c = c,
                                  .c_row = p.c_row,
                                  .columns = columns,
                                  .relu = false});
    });
  }
}

// NOLINTEND(modernize-avoid-c-arrays)
}  // namespace
}  // namespace heddle::kernels::HEDDLE_ISA
