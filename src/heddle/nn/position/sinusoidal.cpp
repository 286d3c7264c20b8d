// Sinusoidal positions: nothing learned, every place has its row. Past the training range the rows
// are as good as before, but the model has never seen the slow pairs' values there.
#include <algorithm>
#include <cmath>
#include <map>

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
    const double angle = place * speeds_[static_cast<std::size_t>(e / 2)];
    to[e] = e % 2 == 0 ? std::sin(angle) : std::cos(angle);
  }
}

Tensor Sinusoids::table_of(const std::vector<double>& places, DType dtype) const {
  Tensor table = Tensor::uninitialised({static_cast<Index>(places.size()), width_}, DType::f64);
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

PositionRows Sinusoids::at_shares(const Tokens& tokens, DType dtype) const {
  PositionRows rows{.table = {}, .ids = Ids(tokens.batch * tokens.length)};
  std::int32_t* out = rows.ids.data();
  std::vector<double> places;
  std::map<Index, Index> starts;  // the first row of sequences of n tokens
  for (Index b = 0; b < tokens.batch; ++b) {
    const auto valid = [&](Index t) {
      return tokens.valid == nullptr || tokens.valid[b * tokens.length + t] != 0;
    };
    Index n = 0;
    for (Index t = 0; t < tokens.length; ++t) n += valid(t) ? 1 : 0;
    n = std::max(n, Index{1});
    const auto [start, fresh] = starts.try_emplace(n, static_cast<Index>(places.size()));
    for (Index i = 0; i < n && fresh; ++i)
      places.push_back(n == 1 ? 0 : kSteps * static_cast<double>(i) / static_cast<double>(n - 1));
    Index i = 0;  // padding gets the row of the token before it: nobody reads it
    for (Index t = 0; t < tokens.length; ++t) {
      if (valid(t)) ++i;
      *out++ = static_cast<std::int32_t>(start->second + std::max(i - 1, Index{0}));
    }
  }
  rows.table = Var{table_of(places, dtype)};
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
