// y = epilogue(x · W) on packed panels of W.
#include "heddle/kernels/cpu/kernels.hpp"
#include "heddle/kernels/cpu/math.hpp"
#include "heddle/kernels/cpu/pack.hpp"

namespace heddle::kernels::HEDDLE_ISA {
namespace {

// A panel of this depth stays in the first-level cache; wide tiles ask so seldom for the same line
// that it may come from the second: then sums wait less often.
constexpr Index kDepthBlock = kTileColumns < 64 ? 256 : 512;
constexpr Index kRowBlock = 240;  // so many rows of x stay in the second-level cache

/// Where a tile stands, or a column of them: rows [row, row + rows) and columns [column, column +
/// columns) of y.
struct Place {
  Index row, rows, column, columns;
};

/// Whether anything stands between the sums and y that the micro-kernel does not do itself: it can
/// add a bias and a residual before the product, and cut off what is negative, or what the slope of
/// a ReLU stops, after it.
inline bool needs_finish(const RawMatmul& args) {
  const RawEpilogue& e = args.epilogue;
  const bool cuts = e.activation == Activation::relu || e.slope_of != nullptr;
  return e.pre_activation != nullptr || e.activation == Activation::gelu ||
         (e.slope_of != nullptr && (e.slope != Activation::relu || args.y.stride != args.n)) ||
         (cuts && e.residual.data != nullptr);
}

/// Calls body(tile number, row, column, lanes) for every vector of the tile.
template <class Body>
[[gnu::always_inline]] inline void for_each_vec_of(const Place& at, Body body) {
  for (Index i = 0; i < at.rows; ++i)
    for_each_vec(at.columns, [&](Index j, Index lanes) {
      body(i * kTileColumns + j, at.row + i, at.column + j, lanes);
    });
}

/// tile = activation(tile).
void activate_tile(Activation activation, const Place& at, float* tile) {
  const Index count = at.rows * kTileColumns;
  if (activation == Activation::relu)
    for (Index i = 0; i < count; i += kLanes) store(tile + i, relu(load(tile + i)));
  if (activation == Activation::gelu)
    for (Index i = 0; i < count; i += kLanes) store(tile + i, gelu(load(tile + i)));
}

/// tile *= activation'(at), dense rows of n numbers.
void slope_tile(Activation activation, const float* slope_of, Index n, const Place& at,
                float* tile) {
  const auto multiply_by = [&](auto slope) {
    for_each_vec_of(at, [&](Index t, Index i, Index j, Index lanes) {
      const Vec point = load_some(slope_of + i * n + j, lanes);
      store(tile + t, sloped(slope(), point, load(tile + t)));
    });
  };
  if (activation == Activation::relu) multiply_by([] { return Activation::relu; });
  if (activation == Activation::gelu) multiply_by([] { return Activation::gelu; });
}

/// to = tile, plus the residual if there is one.
void store_rows(const float* tile, const Place& at, RawConstRows residual, RawRows to) {
  if (residual.data)
    for_each_vec_of(at, [&](Index t, Index i, Index j, Index lanes) {
      const Vec kept = load_some(residual.data + i * residual.stride + j, lanes);
      store_some(to.data + i * to.stride + j, load(tile + t) + kept, lanes);
    });
  else
    for_each_vec_of(at, [&](Index t, Index i, Index j, Index lanes) {
      store_some(to.data + i * to.stride + j, load(tile + t), lanes);
    });
}

/// All of the epilogue but the bias, which the sums started from.
void finish(const RawMatmul& args, const Place& at, float* tile) {
  const RawEpilogue& e = args.epilogue;
  if (e.pre_activation)
    store_rows(tile, at, {.data = nullptr, .stride = 0},
               {.data = e.pre_activation, .stride = args.n});
  activate_tile(e.activation, at, tile);
  if (e.slope_of) slope_tile(e.slope, e.slope_of, args.n, at, tile);
  store_rows(tile, at, e.residual, args.y);
}

/// One tile, or a column of them, over terms [from, from + depth). Between depth blocks the sums
/// wait in `partial`.
void run_block(const RawMatmul& args, const Place& at, Index from, Index depth, float* partial) {
  const RawEpilogue& e = args.epilogue;
  const bool last = from + depth == args.k;
  const bool direct = last && !needs_finish(args);
  Tile tile{.depth = depth,
            .a = args.x.data + at.row * args.x.stride + from,
            .a_row = args.x.stride,
            .a_step = 1,
            .b = args.panels + at.column * args.k + from * kLanes,
            .b_step = kLanes,
            .b_vec = args.k * kLanes,
            .bias = nullptr,
            .init = partial,
            .init_row = kTileColumns,
            .c = partial,
            .c_row = kTileColumns,
            .columns = at.columns,
            .relu = false,
            .gate = nullptr};
  if (from == 0) {
    const bool add_residual = e.residual.data != nullptr && !needs_finish(args);
    tile.bias = e.bias ? e.bias + at.column : nullptr;
    tile.init = add_residual ? e.residual.data + at.row * e.residual.stride + at.column : nullptr;
    tile.init_row = e.residual.stride;
  }
  if (direct) {
    tile.c = args.y.data + at.row * args.y.stride + at.column;
    tile.c_row = args.y.stride;
    tile.relu = e.activation == Activation::relu;
    if (e.slope_of) tile.gate = e.slope_of + at.row * args.n + at.column;
  }
  if (at.rows > kNarrowTileRows)  // a column
    run_column<0>(tile, at.rows / kTileRows);
  else
    tile_kernel(at.rows, at.columns)(tile);
  if (last && !direct) finish(args, at, partial);
}

}  // namespace

std::ptrdiff_t matmul_scratch(std::ptrdiff_t k) {
  return (k > kDepthBlock ? kRowBlock : kNarrowTileRows) * kTileColumns;
}

void matmul(const RawMatmul& args) {
  const Index blocks = (args.k + kDepthBlock - 1) / kDepthBlock;
  const Index depth = (args.k + blocks - 1) / blocks;
  for (Index first = 0; first < args.m; first += kRowBlock) {
    const Index block_rows = smaller(kRowBlock, args.m - first);
    for_each_stripe(args.n, [&](Index column, Index columns) {
      for (Index from = 0; from < args.k; from += depth) {
        const auto run = [&](Index row, Index rows) {
          float* partial = args.scratch + (blocks > 1 ? row * kTileColumns : 0);
          run_block(args, {.row = first + row, .rows = rows, .column = column, .columns = columns},
                    from, smaller(depth, args.k - from), partial);
        };
        const Index top = needs_finish(args) ? 0 : column_rows(block_rows, columns);
        if (top > 0) run(0, top);
        for_each_tile(block_rows, columns, run, top);
      }
    });
  }
}

void pack(RawConstRows w, std::ptrdiff_t k, std::ptrdiff_t n, float* panels) {
  pack_panels(w.data, w.stride, k, n, panels);
}
void pack_transposed(RawConstRows w, std::ptrdiff_t k, std::ptrdiff_t n, float* panels) {
  pack_panels_transposed(w.data, w.stride, n, k, panels);
}

}  // namespace heddle::kernels::HEDDLE_ISA
