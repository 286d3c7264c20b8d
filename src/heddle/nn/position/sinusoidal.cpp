// Sinusoidal positions: nothing learned, every place has its row. Past the training range the rows
// are as good as before, but the model has never seen the slow pairs' values there.
#include <algorithm>
#include <cmath>
#include <utility>

#include "heddle/base/index.hpp"
#include "heddle/nn/position/sinusoids.hpp"
#include "heddle/tensor/dispatch.hpp"

namespace heddle {

Sinusoids::Sinusoids(Index length, Index width) : width_(width) {
  constexpr double kBase = 10000;
  for (Index e = 0; e < width; e += 2)
    speeds_.push_back(std::pow(kBase, -static_cast<double>(e) / static_cast<double>(width)));
  if (length > 0) (void)kept(length, DType::f64);
}

void Sinusoids::write_row(double place, double* to) const {
  for (Index e = 0; e < width_; ++e) {
    const double angle = place * speeds_[to_size(e / 2)];
    to[e] = e % 2 == 0 ? std::sin(angle) : std::cos(angle);
  }
}

Tensor Sinusoids::table_of(std::span<const double> places, DType dtype) const {
  Tensor table = Tensor::uninitialised({std::ssize(places), width_}, DType::f64);
  auto* out = table.write<double>();
  for (const double place : places) {
    write_row(place, out);
    out += width_;
  }
  return dtype == DType::f64 ? table : converted(table, dtype);
}

/// Rows 0 … rows − 1 or more of them.
Tensor Sinusoids::kept(Index rows, DType dtype) const {
  const std::lock_guard lock(growing_);
  const Index before = f64_.empty() ? 0 : f64_.dim(0);
  if (before < rows) {
    const Index more = before == 0 ? rows : std::min(kMostKept, std::max(rows, 2 * before));
    std::vector<double> places;
    for (Index i = 0; i < more; ++i) places.push_back(static_cast<double>(i));
    f64_ = table_of(places, DType::f64);
    f32_ = converted(f64_, DType::f32);
  }
  return dtype == DType::f64 ? f64_ : f32_;
}

PositionRows Sinusoids::at_places(const Tokens& tokens, DType dtype) const {
  const Index count = tokens.batch * tokens.length;
  PositionRows rows{.table = {}, .ids = Ids(count)};
  std::int32_t* out = rows.ids.data();
  Index last = 0;
  for (Index i = 0; i < count; ++i) {
    const Index place = tokens.place(i / tokens.length, i % tokens.length);
    check<ShapeError>(place >= 0, "position {}: places count from 0", place);
    out[i] = static_cast<std::int32_t>(place);
    last = std::max(last, place);
  }
  if (last < kMostKept) {
    rows.table = Var{kept(last + 1, dtype)};
    return rows;
  }
  std::vector<double> places;
  for (Index i = 0; i < count; ++i) {
    places.push_back(static_cast<double>(out[i]));
    out[i] = static_cast<std::int32_t>(i);
  }
  rows.table = Var{table_of(places, dtype)};
  return rows;
}

namespace {

/// Which tokens of a sequence are no padding, and how many.
struct Real {
  const Tokens& tokens;
  Index sequence;

  bool at(Index t) const {
    return tokens.valid == nullptr || tokens.valid[sequence * tokens.length + t] != 0;
  }
  Index count() const {
    Index n = 0;
    for (Index t = 0; t < tokens.length; ++t) n += at(t) ? 1 : 0;
    return std::max(n, Index{1});
  }
};

}  // namespace

/// Sequences of as many tokens share their rows.
PositionRows Sinusoids::at_shares(const Tokens& tokens, DType dtype) const {
  PositionRows rows{.table = {}, .ids = Ids(tokens.batch * tokens.length)};
  Ids starts(tokens.length + 1);  // the first row of sequences of n tokens; −1: there are none
  std::fill_n(starts.data(), tokens.length + 1, -1);
  std::int32_t total = 0, *out = rows.ids.data();
  for (Index b = 0; b < tokens.batch; ++b) {
    const Real real{.tokens = tokens, .sequence = b};
    const Index n = real.count();
    std::int32_t& start = starts.data()[n];
    if (start < 0) start = std::exchange(total, total + static_cast<std::int32_t>(n));
    std::int32_t i = start;  // padding gets the row of the token before it: nobody reads it
    for (Index t = 0; t < tokens.length; ++t) {
      if (real.at(t)) ++i;
      *out++ = std::max(i - 1, start);
    }
  }
  Tensor places = Tensor::uninitialised({total}, DType::f64);
  for (Index n = 1; n <= tokens.length; ++n)
    for (Index i = 0; i < n && starts.data()[n] >= 0; ++i)
      places.write<double>()[starts.data()[n] + i] =
          n == 1 ? 0 : kSteps * static_cast<double>(i) / static_cast<double>(n - 1);
  rows.table = Var{table_of(places.flat<double>(), dtype)};
  return rows;
}

Position Position::sinusoidal(Index length, Index width) {
  Position position;
  position.sinusoids_ = std::make_shared<const Sinusoids>(length, width);
  return position;
}

Position Position::normalised(Index width) {
  Position position;
  position.sinusoids_ = std::make_shared<const Sinusoids>(0, width);
  position.normalised_ = true;
  return position;
}

}  // namespace heddle
