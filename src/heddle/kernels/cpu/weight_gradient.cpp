// dw (+)= xᵀ dy: a product whose depth is the rows of the batch. dy is packed into panels and x
// into tiles, block by block, since both are walked across their rows; dbias falls out of the
// packing.
#include "heddle/kernels/cpu/kernels.hpp"
#include "heddle/kernels/cpu/pack.hpp"

namespace heddle::kernels::HEDDLE_ISA {
namespace {

constexpr Index kDepthBlock = 256;  // a panel of this depth stays in the first-level cache
constexpr Index kRowBlock = 120;    // so many columns of x, packed, stay in the second-level cache
constexpr Index kStrip = 32;  // so many rows are packed at a time: they stay in the first-level
                              // cache while stripe after stripe is cut out of them

/// Calls body(first row, rows) for the strips of `depth` rows.
template <class Body>
[[gnu::always_inline]] inline void for_each_strip(Index depth, Body body) {
  for (Index first = 0; first < depth; first += kStrip) body(first, smaller(kStrip, depth - first));
}

/// The panels of dy [depth, columns]; and, unless null, dbias += Σ_rows dy, rows in order.
void pack_and_sum(const float* dy, Index stride, Index depth, Index columns, float* dbias,
                  float* panels) {
  for_each_strip(depth, [&](Index first, Index rows) {
    for (Index column = 0; column < columns; column += kLanes) {
      const Index lanes = smaller(kLanes, columns - column);
      const float* from = dy + first * stride + column;
      float* to = panels + column / kPanelWidth * depth * kPanelWidth + first * kPanelWidth +
                  column % kPanelWidth;
      Vec sum = dbias ? load_some(dbias + column, lanes) : Vec{};
      for (Index p = 0; p < rows; ++p) {
        const Vec row = load_some(from + p * stride, lanes);
        store(to + p * kPanelWidth, row);
        sum += row;
      }
      if (dbias) store_some(dbias + column, sum, lanes);
    }
  });
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

/// Terms [first, first + depth) of the rows [row, row + rows) of dw.
void run_rows(const RawWeightGradient& args, Index first, Index depth, Index row, Index rows,
              const float* panels, float* tiles) {
  const Index width = args.n > kLanes ? kPanelWidth : kLanes;
  const float* x = args.x.data + first * args.x.stride + row;
  for_each_strip(depth, [&](Index from, Index strip) {
    for_each_tile(rows, width, [&](Index i, Index count) {
      pack_tile(x + from * args.x.stride + i, args.x.stride, strip, count, depth - from,
                tiles + i * depth + from * count);
    });
  });
  for (Index column = 0; column < args.n; column += kPanelWidth) {
    const Index columns = smaller(kPanelWidth, args.n - column);
    for_each_tile(rows, width, [&](Index i, Index count) {
      multiply({.rows = count,
                .columns = columns,
                .depth = depth,
                .a = tiles + i * depth,
                .a_row = 1,
                .a_step = count,
                .b = panels + column * depth,
                .b_panel = 0,
                .b_step = kPanelWidth,
                .c = args.dw.data + (row + i) * args.dw.stride + column,
                .c_row = args.dw.stride,
                .accumulate = args.accumulate || first > 0});
    });
  }
}

}  // namespace

std::ptrdiff_t weight_gradient_scratch(std::ptrdiff_t m, std::ptrdiff_t k, std::ptrdiff_t n) {
  return smaller(m, kDepthBlock) * (round_up(n, kPanelWidth) + smaller(k, kRowBlock)) + kLanes;
}

void weight_gradient(const RawWeightGradient& args) {
  const Index blocks = (args.m + kDepthBlock - 1) / kDepthBlock;
  const Index block = (args.m + blocks - 1) / blocks;
  float* panels = args.scratch;
  float* tiles = panels + smaller(args.m, kDepthBlock) * round_up(args.n, kPanelWidth);
  if (args.dbias && !args.accumulate)
    for (Index j = 0; j < args.n; ++j) args.dbias[j] = 0.0F;
  for (Index first = 0; first < args.m; first += block) {
    const Index depth = smaller(block, args.m - first);
    pack_and_sum(args.dy.data + first * args.dy.stride, args.dy.stride, depth, args.n, args.dbias,
                 panels);
    for (Index row = 0; row < args.k; row += kRowBlock)
      run_rows(args, first, depth, row, smaller(kRowBlock, args.k - row), panels, tiles);
  }
}

}  // namespace heddle::kernels::HEDDLE_ISA
