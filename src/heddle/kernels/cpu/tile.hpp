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
// 24 of 32 registers, or 12 of 16. A term takes a load for each row and each vector, and a
// processor may load one long vector a cycle while it multiplies two: so few rows and many vectors
// where there are registers for it (6 × 4 loads ten times for 24 multiply-adds, 12 × 2 would
// fourteen times).
#if defined(__AVX512F__) || defined(__aarch64__)
constexpr int kTileVecs = 4;
#else
constexpr int kTileVecs = 2;
#endif
constexpr int kTileRows = 6;         // of tiles of kTileVecs vectors
constexpr int kNarrowTileRows = 12;  // of tiles of fewer
constexpr Index kTileColumns = kTileVecs * kLanes;

/// c[i][j] = bias[j] + init[i][j] + Σ_p a(i, p) b(p, j), the terms added one by one in the order of
/// p, so that an element's bits depend neither on the size of its tile nor on how p is cut into
/// blocks.
struct Tile {
  Index depth;  ///< the number of terms p
  const float* a;
  Index a_row, a_step;  ///< a(i, p) = a[i·a_row + p·a_step]
  const float* b;
  Index b_step, b_vec;  ///< lane j of vector v of b(p, ·) = b[p·b_step + v·b_vec + j]
  const float* bias;    ///< may be null
  const float* init;    ///< may be null
  Index init_row;
  float* c;
  Index c_row;
  Index columns;      ///< of bias, init and c: nothing beyond is read or written
  bool relu;          ///< store max(c, 0)
  const float* gate;  ///< unless null: store 0 where gate[i·c_row + j] is not above 0
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
  if (t.gate)
    for_each_sum<Rows, Vecs, Part>(t.columns, [&](int i, int j, Index lanes) {
      const Vec gate = load_some(t.gate + i * t.c_row + j * kLanes, lanes);
      sum.at[i][j] = gate > 0.0F ? sum.at[i][j] : Vec{};
    });
  for_each_sum<Rows, Vecs, Part>(t.columns, [&](int i, int j, Index lanes) {
    store_some(c + i * c_row + j * kLanes, sum.at[i][j], lanes);
  });
}

/// Adds the terms. With long vectors, of which a processor may load one a cycle, three rows of a
/// share a pointer, since an address may add one or two strides to it: with one pointer for all,
/// offsets run out of registers and have to be loaded anew for each term. `Ahead`: so many terms
/// ahead a cache line of a is called for (0: none is), where a_step strides over many.
template <int Rows, int Vecs, int Ahead>
[[gnu::always_inline]] inline void add_terms(const Tile& t, Sums<Rows, Vecs>& sum) {
  constexpr int kGroup = kLanes < 16 ? Rows : 3;
  constexpr int kGroups = (Rows + kGroup - 1) / kGroup;
  const Index a_row = t.a_row, a_step = t.a_step;
  const float* a[static_cast<std::size_t>(kGroups)];
#pragma GCC unroll 4
  for (int g = 0; g < kGroups; ++g) a[g] = t.a + Index{g} * kGroup * a_row;
  const float* b = t.b;
  for (Index p = 0; p < t.depth; ++p, b += t.b_step) {
    if constexpr (Ahead > 0) __builtin_prefetch(a[0] + Ahead * a_step);
    Vec row[static_cast<std::size_t>(Vecs)];
#pragma GCC unroll 4
    for (int j = 0; j < Vecs; ++j) row[j] = load(b + j * t.b_vec);
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 4
      for (int j = 0; j < Vecs; ++j)
        sum.at[i][j] += splat(a[i / kGroup][i % kGroup * a_row]) * row[j];
#pragma GCC unroll 4
    for (int g = 0; g < kGroups; ++g) {
      a[g] += a_step;
      if constexpr (kGroups > 1)
        asm("" : "+r"(a[g]));  // else the compiler makes offsets of them again
    }
  }
}

template <int Rows, int Vecs, int Ahead>
[[gnu::always_inline]] inline void sum_up(const Tile& t) {
  const bool part = t.columns < Vecs * kLanes;
  Sums<Rows, Vecs> sum{};
  if (part)
    start_tile<Rows, Vecs, true>(t, sum);
  else
    start_tile<Rows, Vecs, false>(t, sum);
  add_terms<Rows, Vecs, Ahead>(t, sum);
  if (part)
    store_tile<Rows, Vecs, true>(t, sum);
  else
    store_tile<Rows, Vecs, false>(t, sum);
}

template <int Rows, int Vecs, int Ahead>
void run_tile(const Tile& t) {
  sum_up<Rows, Vecs, Ahead>(t);
}

/// Calls for the cache lines of a whole tile that stands at `at`.
[[gnu::always_inline]] inline void call_for(const float* at, Index row) {
  constexpr Index kLine = 16;  // numbers
#pragma GCC unroll 16
  for (int i = 0; i < kTileRows; ++i)
#pragma GCC unroll 4
    for (Index j = 0; j < kTileColumns; j += kLine) __builtin_prefetch(at + i * row + j);
}

/// So many tiles of full size, one below the other. While one is summed up, what the next starts
/// from and where it goes is called for: it may be far away, and the first sums of a tile wait for
/// it.
template <int Ahead>
void run_column(Tile t, Index tiles) {
  const Index c_move = kTileRows * t.c_row, init_move = kTileRows * t.init_row;
  for (Index left = tiles - 1; left >= 0; --left) {
    if (left > 0) {
      call_for(t.c + c_move, t.c_row);
      if (t.init && t.init != t.c) call_for(t.init + init_move, t.init_row);
      if (t.gate) call_for(t.gate + c_move, t.c_row);
    }
    sum_up<kTileRows, kTileVecs, Ahead>(t);
    t.a += kTileRows * t.a_row;
    t.c += c_move;
    if (t.init) t.init += init_move;
    if (t.gate) t.gate += c_move;
  }
}

using TileKernel = void (*)(const Tile&);

/// The kernels for tiles of so many vectors, by their rows less one.
template <int Vecs, int Ahead>
struct TileKernels {
  static constexpr int kMost = Vecs == kTileVecs ? kTileRows : kNarrowTileRows;
  static constexpr TileKernel kTable[kNarrowTileRows] = {
      run_tile<1, Vecs, Ahead>,
      run_tile<2, Vecs, Ahead>,
      run_tile<3, Vecs, Ahead>,
      run_tile<4, Vecs, Ahead>,
      run_tile<5, Vecs, Ahead>,
      run_tile<6, Vecs, Ahead>,
      run_tile < kMost<7 ? kMost : 7, Vecs, Ahead>,
      run_tile < kMost<8 ? kMost : 8, Vecs, Ahead>,
      run_tile < kMost<9 ? kMost : 9, Vecs, Ahead>,
      run_tile < kMost<10 ? kMost : 10, Vecs, Ahead>,
      run_tile < kMost<11 ? kMost : 11, Vecs, Ahead>,
      run_tile < kMost<12 ? kMost : 12, Vecs, Ahead>,
  };
};

/// The kernel for a tile of `rows` rows and `columns` columns, as for_each_tile cuts them.
template <int Ahead = 0>
inline TileKernel tile_kernel(Index rows, Index columns) {
  if (columns <= kLanes) return TileKernels<1, Ahead>::kTable[rows - 1];
  if (columns <= 2 * kLanes) return TileKernels<2, Ahead>::kTable[rows - 1];
  return TileKernels<kTileVecs, Ahead>::kTable[rows - 1];
}

/// Cuts `columns` into kTileVecs vectors at a time, then into 2 and 1 (the last perhaps in part),
/// and calls body(first column, columns).
template <class Body>
[[gnu::always_inline]] inline void for_each_stripe(Index columns, Body body) {
  for (Index at = 0; at < columns;) {
    const Index left = columns - at;
    const Index take = smaller(left, left > kTileColumns - kLanes ? kTileColumns : 2 * kLanes);
    body(at, take);
    at += take;
  }
}

/// Cuts `rows` into tiles for stripes of `columns` columns and calls body(first row, rows). What is
/// left for the last two tiles is shared between them: two middling tiles beat a full and a thin
/// one.
template <class Body>
[[gnu::always_inline]] inline void for_each_tile(Index rows, Index columns, Body body,
                                                 Index from = 0) {
  const Index most = columns > kTileColumns / 2 ? kTileRows : kNarrowTileRows;
  for (Index at = from; at < rows;) {
    const Index left = rows - at;
    const Index take = left >= 2 * most ? most : left > most ? (left + 1) / 2 : left;
    body(at, take);
    at += take;
  }
}

/// The rows at the top of a stripe that for_each_tile cuts into wide tiles of full size, if they
/// are three or more: run_column takes all of them in one go. (So a column has more rows than any
/// tile.)
inline Index column_rows(Index rows, Index columns) {
  const Index full = (rows / kTileRows - 1) * kTileRows;
  return columns > kTileColumns / 2 && full > kNarrowTileRows ? full : 0;
}

/// c [rows, columns] = a b, or c + a b, tile by tile. `Ahead`: see add_terms.
struct Product {
  Index rows, columns, depth;
  const float* a;
  Index a_row, a_step;
  const float* b;
  Index b_step, b_vec;  ///< from row to row, from vector to vector
  float* c;
  Index c_row;
  bool accumulate;
};
template <int Ahead = 0>
inline void multiply(const Product& p) {
  for_each_stripe(p.columns, [&](Index column, Index columns) {
    const auto tile = [&](Index row) {
      float* c = p.c + row * p.c_row + column;
      return Tile{.depth = p.depth,
                  .a = p.a + row * p.a_row,
                  .a_row = p.a_row,
                  .a_step = p.a_step,
                  .b = p.b + column / kLanes * p.b_vec,
                  .b_step = p.b_step,
                  .b_vec = p.b_vec,
                  .bias = nullptr,
                  .init = p.accumulate ? c : nullptr,
                  .init_row = p.c_row,
                  .c = c,
                  .c_row = p.c_row,
                  .columns = columns,
                  .relu = false,
                  .gate = nullptr};
    };
    const Index rows_of_column = Ahead > 0 ? column_rows(p.rows, columns) : 0;
    if (rows_of_column > 0) run_column<Ahead>(tile(0), rows_of_column / kTileRows);
    for_each_tile(
        p.rows, columns,
        [&](Index row, Index rows) { tile_kernel<Ahead>(rows, columns)(tile(row)); },
        rows_of_column);
  });
}

// NOLINTEND(modernize-avoid-c-arrays)
}  // namespace
}  // namespace heddle::kernels::HEDDLE_ISA
