// See lookup.hpp.
#include "heddle/nn/lookup.hpp"

#include <algorithm>

#include "heddle/base/index.hpp"

namespace heddle {
namespace {

/// The different pairs of a token and a place, and which of them stands where.
struct Pairs {
  std::vector<std::int32_t> tokens, places;
  Ids which;
};

Pairs pairs_of(const EmbeddingArgs& args, Index place_rows) {
  const Index count = args.batch * args.length;
  Pairs pairs{.tokens = {}, .places = {}, .which = Ids(count)};
  std::vector<std::int32_t> number(to_size(args.table.value.dim(0) * place_rows), -1);
  for (Index i = 0; i < count; ++i) {
    const std::int32_t token = args.ids[i];
    const std::int32_t place = args.positions != nullptr ? args.position_ids.data()[i] : 0;
    std::int32_t& known = number[to_size(token * place_rows + place)];
    if (known < 0) {
      known = static_cast<std::int32_t>(pairs.tokens.size());
      pairs.tokens.push_back(token);
      pairs.places.push_back(place);
    }
    pairs.which.data()[i] = known;
  }
  return pairs;
}

Tensor embedded_rows(const EmbeddingArgs& args, const Pairs& pairs) {
  const auto different = std::ssize(pairs.tokens);
  EmbeddingArgs few{.table = args.table,
                    .ids = pairs.tokens.data(),
                    .positions = args.positions,
                    .position_ids = {},
                    .batch = 1,
                    .length = different};
  if (args.positions != nullptr) {
    few.position_ids = Ids(different);
    std::ranges::copy(pairs.places, few.position_ids.data());
  }
  return embedding(few).value;
}

/// [1, different rows, n] → [batch, length, n].
Tensor spread(const Tensor& rows, const Ids& which, Index batch, Index length) {
  const Var table{rows.reshaped({rows.dim(1), rows.dim(2)})};
  return embedding({.table = table,
                    .ids = which.data(),
                    .positions = nullptr,
                    .position_ids = {},
                    .batch = batch,
                    .length = length})
      .value;
}

}  // namespace

Lookup look_up(const EmbeddingArgs& args) {
  constexpr Index kOften = 2;  // rows occur so often on average, or nothing is gained
  const Index count = args.batch * args.length;
  const Index place_rows = args.positions != nullptr ? args.positions->value.dim(0) : 1;
  if (args.table.value.dim(0) * place_rows > kOften * count) return {};  // too many to tell apart
  check_ids(args);
  Pairs pairs = pairs_of(args, place_rows);
  if (std::ssize(pairs.tokens) * kOften > count) return {};
  Lookup lookup{.rows = embedded_rows(args, pairs), .all = {}, .which = std::move(pairs.which)};
  lookup.all = spread(lookup.rows, lookup.which, args.batch, args.length);
  return lookup;
}

Var Lookup::spread(const Var& y) const {
  return Var{heddle::spread(y.value, which, all.dim(0), all.dim(1))};
}

}  // namespace heddle
