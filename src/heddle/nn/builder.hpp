// Builds a model's blueprint: modules ask for weights and taps under the path they stand in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heddle/nn/taps.hpp"
#include "heddle/nn/weights.hpp"

namespace heddle {

namespace axes {
inline const std::vector<Axis> kStream{Axis::batch, Axis::position, Axis::feature};
inline const std::vector<Axis> kHeads{Axis::batch, Axis::position, Axis::head, Axis::feature};
inline const std::vector<Axis> kPattern{Axis::batch, Axis::head, Axis::query, Axis::key};
// Of a classifier's head: one row per sequence, one number per token, one per token and head.
inline const std::vector<Axis> kSummary{Axis::batch, Axis::feature};
inline const std::vector<Axis> kTokens{Axis::batch, Axis::position};
inline const std::vector<Axis> kTokenHeads{Axis::batch, Axis::position, Axis::head};
inline const std::vector<Axis> kHeadTokens{Axis::batch, Axis::head, Axis::position};
}  // namespace axes

/// What a model consists of, apart from the values of its weights.
struct Blueprint {
  WeightLayout weights;
  TapTable taps;
};

/// A place in the module tree. Copies made by `at` stand deeper and write to the same blueprint.
class Builder {
 public:
  explicit Builder(Blueprint& blueprint) : blueprint_(&blueprint) {}

  /// The builder of a part called `name`.
  Builder at(std::string_view name) const {
    Builder inner(*this);
    inner.path_ = join_path(name);
    return inner;
  }
  /// The same place, for points whose rows belong to the tokens of this stream.
  Builder in(Stream stream) const {
    Builder other(*this);
    other.stream_ = stream;
    return other;
  }
  Stream stream() const { return stream_; }

  WeightId matrix(std::string_view name, Index in, Index out, Init init) const {
    return weight(name, {in, out}, init, WeightRole::matrix);
  }
  WeightId table(std::string_view name, Index rows, Index width, Init init,
                 TapRole role = TapRole::other) const {
    return weight(name, {rows, width}, init, WeightRole::table, role);
  }
  WeightId vector(std::string_view name, Index width, Init init) const {
    return weight(name, {width}, init, WeightRole::vector);
  }
  /// A vector that starts with these numbers.
  WeightId vector(std::string_view name, std::vector<double> start) const {
    const WeightId id = vector(name, std::ssize(start), {});
    blueprint_->weights.set_start(id, std::move(start));
    return id;
  }
  /// `features` are the trailing extents that do not depend on the input.
  TapId tap(std::string_view name, const std::vector<Axis>& axes,
            std::initializer_list<Index> features, TapRole role = TapRole::other) const {
    Shape shape;
    for (std::size_t i = 0; i + features.size() < axes.size(); ++i) shape.push_back(0);
    for (const Index extent : features) shape.push_back(extent);
    return blueprint_->taps.add({join_path(name), axes, shape, false, stream_, role});
  }
  /// The number that the next point will have.
  TapId next_tap() const { return static_cast<TapId>(blueprint_->taps.points().size()); }
  /// An attention that stands here.
  void heads(HeadGroup group) const {
    group.module = path_;
    blueprint_->taps.add_heads(std::move(group));
  }

 private:
  WeightId weight(std::string_view name, const Shape& shape, Init init, WeightRole role,
                  TapRole tap_role = TapRole::other) const {
    const std::string path = join_path(name);
    std::vector<Axis> axes{Axis::row, Axis::column};
    if (shape.rank() == 1) axes = {Axis::feature};
    const TapId tap = blueprint_->taps.add({path, axes, shape, true, stream_, tap_role});
    return blueprint_->weights.add({path, shape, init, role, 0, tap});
  }
  std::string join_path(std::string_view name) const {
    return path_.empty() ? std::string(name) : fmt::format("{}.{}", path_, name);
  }

  Blueprint* blueprint_;
  std::string path_;
  Stream stream_ = Stream::none;
};

}  // namespace heddle
