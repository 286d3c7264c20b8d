// The head of a classifier out of one or two Linear modules of theirs; see values.hpp.
#include <algorithm>

#include "heddle/base/index.hpp"
#include "heddle/base/text.hpp"
#include "heddle/model/import/values.hpp"

namespace heddle {
namespace {

/// A Linear of theirs: y = W x + b.
struct Linear {
  Tensor w;  ///< [out, in]
  Tensor b;  ///< [out], or nothing

  Index in() const { return w.dim(1); }
  Index out() const { return w.dim(0); }
  double weight(Index row, Index column) const { return w.data<double>()[row * in() + column]; }
  double bias(Index row) const { return b.empty() ? 0 : b.data<double>()[row]; }
};

Linear linear_of(const HeadLayer& layer, Index inputs, const ForeignFile& file) {
  Linear linear{.w = numbers_for(*layer.weight, 2, file), .b = {}};
  check<FileError>(linear.w.rank() == 2 && linear.in() == inputs,
                   "{}: {} has shape {}; the head needs [any, {}]", quote_path(file.path),
                   quote(layer.weight->name), layer.weight->shape, inputs);
  if (layer.bias == nullptr) return linear;
  linear.b = numbers_for(*layer.bias, 1, file);
  check<FileError>(linear.b.shape() == Shape{linear.out()},
                   "{}: {} has shape {}; the head needs [{}]", quote_path(file.path),
                   quote(layer.bias->name), layer.bias->shape, linear.out());
  return linear;
}

/// The four weights as they are written.
class HeadPen {
 public:
  HeadPen(const WeightLayout& layout, const TokenIds& ids, const ForeignFile& file)
      : ids_(ids),
        file_(file),
        inputs_(rows_of_weight(layout, "head.w_in")),
        hidden_(rows_of_weight(layout, "head.b_in")),
        classes_(rows_of_weight(layout, "head.b_out")),
        w_in_(to_size(inputs_ * hidden_)),
        b_in_(to_size(hidden_)),
        w_out_(to_size(hidden_ * classes_)),
        b_out_(to_size(classes_)) {}

  std::vector<std::vector<double>> one(const HeadLayer& layer) {
    const Linear linear = linear_of(layer, inputs_, file_);
    check_classes(linear, layer);
    check<FileError>(2 * classes_ <= hidden_,
                     "a head of {} classes needs {} hidden numbers; this model has {}", classes_,
                     2 * classes_, hidden_);
    for (Index c = 0; c < classes_; ++c) {
      const auto theirs = their_id(ids_.classes, c);
      if (!theirs) continue;
      for (Index i = 0; i < inputs_; ++i) {
        in(i, 2 * c) = linear.weight(*theirs, i);
        in(i, 2 * c + 1) = -linear.weight(*theirs, i);
      }
      out(2 * c, c) = 1;
      out(2 * c + 1, c) = -1;
      b_out_[to_size(c)] = linear.bias(*theirs);
    }
    return {w_in_, b_in_, w_out_, b_out_};
  }

  std::vector<std::vector<double>> two(const HeadLayer& first, const HeadLayer& second) {
    const Linear below = linear_of(first, inputs_, file_);
    check<FileError>(
        below.out() <= hidden_, "{}: {} has shape {}; the head has room for {} hidden numbers",
        quote_path(file_.path), quote(first.weight->name), first.weight->shape, hidden_);
    const Linear above = linear_of(second, below.out(), file_);
    check_classes(above, second);
    for (Index h = 0; h < below.out(); ++h) {
      for (Index i = 0; i < inputs_; ++i) in(i, h) = below.weight(h, i);
      b_in_[to_size(h)] = below.bias(h);
    }
    for (Index c = 0; c < classes_; ++c) {
      const auto theirs = their_id(ids_.classes, c);
      if (!theirs) continue;
      for (Index h = 0; h < below.out(); ++h) out(h, c) = above.weight(*theirs, h);
      b_out_[to_size(c)] = above.bias(*theirs);
    }
    return {w_in_, b_in_, w_out_, b_out_};
  }

 private:
  double& in(Index row, Index column) { return w_in_[to_size(row * hidden_ + column)]; }
  double& out(Index row, Index column) { return w_out_[to_size(row * classes_ + column)]; }

  void check_classes(const Linear& linear, const HeadLayer& layer) const {
    Index most = 0;
    for (Index c = 0; c < classes_; ++c)
      most = std::max(most, their_id(ids_.classes, c).value_or(0));
    const bool all = !ids_.classes.empty() || linear.out() == classes_;
    check<FileError>(all && most < linear.out(),
                     "{}: {} has shape {}; with the map's classes the head needs {} rows",
                     quote_path(file_.path), quote(layer.weight->name), layer.weight->shape,
                     most + 1);
  }

  const TokenIds& ids_;
  const ForeignFile& file_;
  Index inputs_, hidden_, classes_;
  std::vector<double> w_in_, b_in_, w_out_, b_out_;
};

}  // namespace

std::vector<std::vector<double>> head_values(const WeightLayout& layout,
                                             const std::vector<HeadLayer>& layers,
                                             const TokenIds& ids, const ForeignFile& file) {
  HeadPen pen(layout, ids, file);
  return layers.size() == 1 ? pen.one(layers.front()) : pen.two(layers.front(), layers.back());
}

}  // namespace heddle
