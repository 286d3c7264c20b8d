// dw (+)= xᵀ dy: a product whose depth is the rows of the batch, taken some at a time. dy is packed
// into panels, and dbias falls out of that. x is read down its columns, a few at a time: where
// tiles are narrow, so that every number is read often, those are packed as well.
#include "heddle/kernels/cpu/kernels.hpp"
#include "heddle/kernels/cpu/pack.hpp"

namespace heddle::kernels::HEDDLE_ISA {
namespace {

constexpr bool kWide = kTileColumns >= 64;
// Panels of this depth stay in the first-level cache; wide tiles ask so seldom for the same line
// that it may come from the second (see matmul.cpp), and dw is read and written less often.
constexpr Index kDepthBlock = kWide ? 512 : 256;
constexpr Index kRowBlock = 120;  // so many columns of x, packed, stay in the second-level cache
constexpr Index kStrip = 32;      // so many rows are packed at a time: they stay in the first-level
                                  // cache while tile after tile is cut out of them
constexpr int kAhead = 6;  // a row of x in place is called for so many rows ahead; with more, rows
                           // 2 KiB apart drive each other out of the cache before they are used

/// Rows [first, first + depth) of x and dy: some terms of the sum.
struct Terms {
  Index first, depth;
};

/// The panels of `Vecs` neighbouring vectors of dy, the last one perhaps in part; and, unless null,
/// dbias += Σ_rows dy, rows in order.
template <int Vecs>
void pack_and_sum(RawConstRows dy, Index depth, Index columns, float* dbias, float* panels) {
  const auto lanes = [&](int v) { return smaller(kLanes, columns - v * kLanes); };
  Vec sum[static_cast<std::size_t>(Vecs)] = {};  // NOLINT(modernize-avoid-c-arrays): see tile.hpp
#pragma GCC unroll 4
  for (int v = 0; v < Vecs; ++v)
    if (dbias) sum[v] = load_some(dbias + v * kLanes, lanes(v));
  for (Index p = 0; p < depth; ++p) {
#pragma GCC unroll 4
    for (int v = 0; v < Vecs; ++v) {
      const Vec row = load_some(dy.data + p * dy.stride + v * kLanes, lanes(v));
      store(panels + (v * depth + p) * kLanes, row);
      sum[v] += row;
    }
  }
#pragma GCC unroll 4
  for (int v = 0; v < Vecs; ++v)
    if (dbias) store_some(dbias + v * kLanes, sum[v], lanes(v));
}
/// The same for one stripe of dy.
void pack_stripe(const RawWeightGradient& args, Terms terms, Index column, Index columns,
                 float* panels) {
  const RawConstRows dy{.data = args.dy.data + terms.first * args.dy.stride + column,
                        .stride = args.dy.stride};
  float* dbias = args.dbias ? args.dbias + column : nullptr;
  if (columns <= kLanes) return pack_and_sum<1>(dy, terms.depth, columns, dbias, panels);
  if (columns <= 2 * kLanes) return pack_and_sum<2>(dy, terms.depth, columns, dbias, panels);
  pack_and_sum<kTileVecs>(dy, terms.depth, columns, dbias, panels);
}

/// Some columns of x: number (p, i) is data[p·step + i].
struct Columns {
  Index first, count;
  const float* data;
  Index step;
};
/// Some columns of dy, packed: vector v of row p stands at data[p·step + v·vec].
struct Stripe {
  Index column, columns;
  const float* data;
  Index step, vec;
};
/// Those rows of dw for one stripe of columns.
void multiply_columns(const RawWeightGradient& args, Terms terms, const Columns& x,
                      const Stripe& dy) {
  multiply<kWide ? kAhead : 0>({.rows = x.count,
                                .columns = dy.columns,
                                .depth = terms.depth,
                                .a = x.data,
                                .a_row = 1,
                                .a_step = x.step,
                                .b = dy.data,
                                .b_step = dy.step,
                                .b_vec = dy.vec,
                                .c = args.dw.data + x.first * args.dw.stride + dy.column,
                                .c_row = args.dw.stride,
                                .accumulate = args.accumulate || terms.first > 0});
}

/// Some rows of one tile of xᵀ: to[p·width + i] = x[p·stride + i]. Whole vectors are stored: what
/// is too much of a row belongs to later ones of the tile, which are yet to come. It has `left`
/// more, and where those do not reach far enough, no more is stored than there is.
void pack_tile(const float* x, Index stride, Index rows, Index width, Index left, float* to) {
  const auto row = [&](Index p, auto put) {
    for (Index i = 0; i < width; i += kLanes) {
      const Index lanes = smaller(kLanes, width - i);
      put(to + p * width + i, load_some(x + p * stride + i, lanes), lanes);
    }
  };
  const Index reach =
      (round_up(width, kLanes) + width - 1) / width;  // rows that a whole store meets
  Index p = 0;
  for (; p < smaller(rows, left - reach + 1); ++p)
    row(p, [](float* at, Vec value, Index /*lanes*/) { store(at, value); });
  for (; p < rows; ++p)
    row(p, [](float* at, Vec value, Index lanes) { store_some(at, value, lanes); });
}

/// The rows [row, row + rows) of dw, by way of tiles of x.
void run_packed_rows(const RawWeightGradient& args, Terms terms, Index row, Index rows,
                     const float* panels, float* tiles) {
  const Index depth = terms.depth, stride = args.x.stride;
  const Index width = smaller(args.n, kTileColumns);
  const float* x = args.x.data + terms.first * stride + row;
  for (Index from = 0; from < depth; from += kStrip)
    for_each_tile(rows, width, [&](Index i, Index count) {
      pack_tile(x + from * stride + i, stride, smaller(kStrip, depth - from), count, depth - from,
                tiles + i * depth + from * count);
    });
  for_each_stripe(args.n, [&](Index column, Index columns) {
    for_each_tile(rows, width, [&](Index i, Index count) {
      const Columns tile{
          .first = row + i, .count = count, .data = tiles + i * depth, .step = count};
      multiply_columns(args, terms, tile,
                       {.column = column,
                        .columns = columns,
                        .data = panels + column * depth,
                        .step = kLanes,
                        .vec = depth * kLanes});
    });
  });
}
[[maybe_unused]] void run_packed(const RawWeightGradient& args, Terms terms, float* panels,
                                 float* tiles) {
  for_each_stripe(args.n, [&](Index column, Index columns) {
    pack_stripe(args, terms, column, columns, panels + column * terms.depth);
  });
  for (Index row = 0; row < args.k; row += kRowBlock)
    run_packed_rows(args, terms, row, smaller(kRowBlock, args.k - row), panels, tiles);
}

/// Packs a whole stripe row by row, and with the same reading of dy the first `Rows` rows of dw:
/// such a tile costs little more than any other, and packing nothing beside it. Where dbias is
/// wanted it is the tile's last row, as if x had a column of ones.
template <int Rows>
void pack_and_multiply(const RawWeightGradient& args, Terms terms, Index column, float* packed) {
  constexpr bool kSums = Rows < kTileRows;
  const Index stride = args.dy.stride, step = args.x.stride, depth = terms.depth;
  const float* dy = args.dy.data + terms.first * stride + column;
  const float* x = args.x.data + terms.first * step;
  float* dw = args.dw.data + column;
  Sums<Rows, kTileVecs> sum{};
  Sums<1, kTileVecs> bias{};
  if (args.accumulate || terms.first > 0)
    for_each_sum<Rows, kTileVecs, false>(kTileColumns, [&](int i, int j, Index /*lanes*/) {
      sum.at[i][j] = load(dw + i * args.dw.stride + j * kLanes);
    });
  if constexpr (kSums)
    for_each_sum<1, kTileVecs, false>(kTileColumns, [&](int /*i*/, int j, Index /*lanes*/) {
      bias.at[0][j] = load(args.dbias + column + j * kLanes);
    });
  for (Index p = 0; p < depth; ++p, dy += stride, x += step, packed += kTileColumns) {
    Sums<1, kTileVecs> row;
    for_each_sum<1, kTileVecs, false>(kTileColumns, [&](int /*i*/, int j, Index /*lanes*/) {
      __builtin_prefetch(dy + kAhead * stride + j * kLanes);
      row.at[0][j] = load(dy + j * kLanes);
      store(packed + j * kLanes, row.at[0][j]);
    });
    for_each_sum<Rows, kTileVecs, false>(kTileColumns, [&](int i, int j, Index /*lanes*/) {
      sum.at[i][j] += splat(x[i]) * row.at[0][j];
    });
    if constexpr (kSums)
      for_each_sum<1, kTileVecs, false>(
          kTileColumns, [&](int /*i*/, int j, Index /*lanes*/) { bias.at[0][j] += row.at[0][j]; });
  }
  for_each_sum<Rows, kTileVecs, false>(kTileColumns, [&](int i, int j, Index /*lanes*/) {
    store(dw + i * args.dw.stride + j * kLanes, sum.at[i][j]);
  });
  if constexpr (kSums)
    for_each_sum<1, kTileVecs, false>(kTileColumns, [&](int /*i*/, int j, Index /*lanes*/) {
      store(args.dbias + column + j * kLanes, bias.at[0][j]);
    });
}

/// x in place: one stripe of dy after another, in the same memory.
[[maybe_unused]] void run_in_place(const RawWeightGradient& args, Terms terms, float* packed) {
  for_each_stripe(args.n, [&](Index column, Index columns) {
    Stripe stripe{.column = column,
                  .columns = columns,
                  .data = packed,
                  .step = kLanes,
                  .vec = terms.depth * kLanes};
    Index first = args.dbias ? kTileRows - 1 : kTileRows;
    if (columns < kTileColumns || args.k <= first) {
      pack_stripe(args, terms, column, columns, packed);
      first = 0;
    } else {
      if (args.dbias)
        pack_and_multiply<kTileRows - 1>(args, terms, column, packed);
      else
        pack_and_multiply<kTileRows>(args, terms, column, packed);
      stripe.step = kTileColumns;
      stripe.vec = kLanes;
    }
    const Columns x{.first = first,
                    .count = args.k - first,
                    .data = args.x.data + terms.first * args.x.stride + first,
                    .step = args.x.stride};
    multiply_columns(args, terms, x, stripe);
  });
}

}  // namespace

std::ptrdiff_t weight_gradient_scratch(std::ptrdiff_t m, std::ptrdiff_t k, std::ptrdiff_t n) {
  const Index depth = smaller(m, kDepthBlock);
  const Index packed_n = round_up(n, kLanes);
  if constexpr (kWide) return depth * smaller(packed_n, kTileColumns);
  return depth * (packed_n + smaller(k, kRowBlock)) + kLanes;
}

void weight_gradient(const RawWeightGradient& args) {
  const Index blocks = (args.m + kDepthBlock - 1) / kDepthBlock;
  const Index block = (args.m + blocks - 1) / blocks;
  if (args.dbias && !args.accumulate)
    for (Index j = 0; j < args.n; ++j) args.dbias[j] = 0.0F;
  for (Index first = 0; first < args.m; first += block) {
    const Terms terms{.first = first, .depth = smaller(block, args.m - first)};
    if constexpr (kWide)
      run_in_place(args, terms, args.scratch);
    else
      run_packed(args, terms, args.scratch,
                 args.scratch + smaller(args.m, kDepthBlock) * round_up(args.n, kLanes));
  }
}

}  // namespace heddle::kernels::HEDDLE_ISA
