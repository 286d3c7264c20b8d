// See import.hpp.
#include "heddle/model/import/import.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "heddle/base/text.hpp"
#include "heddle/model/import/plan.hpp"
#include "heddle/model/import/values.hpp"
#include "heddle/nn/position/sinusoids.hpp"
#include "heddle/tensor/dispatch.hpp"

namespace heddle {
namespace {

/// Values of a weight, ready to be written.
struct Ready {
  const WeightSpec* spec = nullptr;
  std::vector<double> values;
};

/// Everything must be a number in float too.
void check_finite(const Ready& ready, const ForeignFile& file) {
  for (std::size_t i = 0; i < ready.values.size(); ++i)
    check<FileError>(std::isfinite(static_cast<float>(ready.values[i])),
                     "{}: number {} of {} would be {}; accepted is what a float holds",
                     quote_path(file.path), i, ready.spec->path, ready.values[i]);
}

std::vector<Ready> read_all(const ImportPlan& plan, const TokenIds& ids, const ForeignFile& file,
                            const WeightLayout& layout) {
  std::vector<Ready> all;
  for (const Filling& filling : plan.weights)
    all.push_back({.spec = &layout[filling.weight],
                   .values = values_for(layout[filling.weight], filling, ids, file)});
  if (!plan.head.empty()) {
    auto values = head_values(layout, plan.head, ids, file);
    std::size_t at = 0;
    for (const std::string_view path : {"head.w_in", "head.b_in", "head.w_out", "head.b_out"})
      all.push_back({.spec = &*std::ranges::find(layout.specs(), path, &WeightSpec::path),
                     .values = std::move(values[at++])});
  }
  for (const Ready& ready : all) check_finite(ready, file);
  return all;
}

/// A table of sines and cosines that is made in float has angles p · e^(−k ln 10⁴ / d): the
/// exponent is up to 9.3 large and rounded three times, so the angle of place p is wrong by up to
/// 30 p u, the sine by that and its own rounding. What is stored in fewer bits is rounded once
/// more.
double table_tolerance(Index place, const ForeignTensor& tensor) {
  return 32 * static_cast<double>(place + 1) * 0x1p-24 + tensor.rounding();
}

void check_sinusoids(const ForeignTensor& tensor, const Config& config, const ForeignFile& file) {
  check<UsageError>(config.model.position == PositionKind::sinusoidal,
                    "sinusoids: {} is for model.position=sinusoidal, and it is {}",
                    quote(tensor.name), field_text(config.model.position));
  const Tensor theirs = numbers_for(tensor, 2, file);
  const Index width = config.model.d_model;
  check<FileError>(theirs.rank() == 2 && theirs.dim(1) == width,
                   "{}: {} has shape {}; sinusoids need [places, {}]", quote_path(file.path),
                   quote(tensor.name), tensor.shape, width);
  const Index places = theirs.dim(0);
  const PositionRows ours =
      Sinusoids(places, width).at_places({.batch = 1, .length = places}, DType::f64);
  for (Index i = 0; i < theirs.size(); ++i) {
    const Index place = i / width, row = ours.ids.data()[place];
    const double expected = ours.table.value.data<double>()[row * width + i % width];
    const double found = theirs.data<double>()[i];
    check<FileError>(std::abs(found - expected) <= table_tolerance(place, tensor),
                     "{}: {} is {} at place {}, number {}, and our sinusoids are {}; with "
                     "model.position=learned it can be a table like any other",
                     quote_path(file.path), quote(tensor.name), found, place, i % width, expected);
  }
}

}  // namespace

ImportSummary import_weights(const ImportMap& map, const ForeignFile& file,
                             const Weights& weights) {
  const WeightLayout& layout = weights.layout();
  const TokenIds ids = token_ids(map, layout);
  const ImportPlan plan = plan_import(map, file, layout);
  const std::vector<Ready> all = read_all(plan, ids, file, layout);
  for (const ForeignTensor* table : plan.sinusoids) check_sinusoids(*table, map.config, file);
  dispatch(weights.flat().dtype(), [&]<class T>() {
    for (const Ready& ready : all) {
      T* out = weights.flat().write_shared<T>() + ready.spec->offset;
      // Once to float, whatever the weights are kept in: the model is that of its checkpoint.
      for (const double value : ready.values) *out++ = static_cast<T>(static_cast<float>(value));
    }
  });
  return {.used = plan.used, .ignored = plan.ignored, .constant = plan.constant, .ids = ids};
}

}  // namespace heddle
