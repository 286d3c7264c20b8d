// See capture.hpp.
#include "heddle/lens/capture.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "heddle/base/index.hpp"
#include "heddle/base/text.hpp"
#include "heddle/tensor/npz.hpp"

namespace heddle {
namespace {

constexpr Index kMostProblems = 250;          // in one pass
constexpr Index kMostTokens = 4096;           // of the encoder, in one pass
constexpr Index kWaiting = Index{64} << 18U;  // numbers that may wait for their turn: 64 MiB

/// Names found one after the other, with their axes and shapes.
class Finder {
 public:
  Finder(const TapTable& taps, std::vector<Shape> shapes)
      : taps_(&taps), shapes_(std::move(shapes)) {}

  void add_point(TapId id) {
    const TapPoint& point = (*taps_)[id];
    add({point.path, id, -1, point.is_weight, point.axes,
         point.is_weight ? point.shape : shapes_[to_size(id)]});
  }
  void add_head(const HeadSlice& slice) {
    const TapPoint& point = (*taps_)[slice.tap];
    const Shape& whole = shapes_[to_size(slice.tap)];
    CaptureArray array{slice.name, slice.tap, slice.head, false, {}, {}};
    for (std::size_t i = 0; i < point.axes.size(); ++i) {
      if (point.axes[i] == Axis::head) continue;
      array.axes.push_back(point.axes[i]);
      array.shape.push_back(whole[static_cast<int>(i)]);
    }
    add(std::move(array));
  }
  const TapTable& taps() const { return *taps_; }
  std::vector<CaptureArray> found() && { return std::move(found_); }

 private:
  void add(CaptureArray array) {
    if (names_.insert(array.name).second) found_.push_back(std::move(array));
  }

  const TapTable* taps_;
  std::vector<Shape> shapes_;
  std::set<std::string> names_;
  std::vector<CaptureArray> found_;
};

/// One head's numbers out of a tap that has a head axis.
void append_head(const TapPoint& point, const Tensor& x, Index head, std::vector<float>& out) {
  const int axis = TapSite{point}.axis(Axis::head);
  const auto extent = [&](int from, int to) {
    return std::accumulate(x.shape().begin() + from, x.shape().begin() + to, Index{1},
                           std::multiplies<>{});
  };
  const Index outer = extent(0, axis), heads = x.dim(axis), inner = extent(axis + 1, x.rank());
  for (Index i = 0; i < outer; ++i) {
    const float* from = x.data<float>() + (i * heads + head) * inner;
    out.insert(out.end(), from, from + inner);
  }
}

Shape with_batch(Shape shape, Index batch) {
  shape[0] = batch;
  return shape;
}

/// Writes one file: activations in groups, one pass over all questions for each group.
class Capture {
 public:
  Capture(const Member& member, const Decoded& decoded, const std::string& path)
      : member_(member), decoded_(decoded), file_(path) {}

  void add_tokens(std::span<const std::string> words) {
    file_.add_texts("tokens.words", words);
    const EncodedQuestions& read = decoded_.read;
    file_.add<std::int32_t>("tokens.source", {read.size, read.source_length}, read.source);
    if (!read.labels)
      file_.add<std::int32_t>("tokens.target", {read.size, read.target_length}, read.target_in);
    if (read.source_valid.empty()) return;
    const std::vector<std::int32_t> valid(read.source_valid.begin(), read.source_valid.end());
    file_.add<std::int32_t>("valid.source", {read.size, read.source_length}, valid);
  }
  void add_weight(const CaptureArray& array) {
    const auto& specs = member_.weights.layout().specs();
    const auto spec = std::ranges::find(specs, array.tap, &WeightSpec::tap);
    file_.add(array.name, member_.weights.value(static_cast<WeightId>(spec - specs.begin())));
  }
  /// The first array goes straight to the file, the others wait until it is complete.
  void add_group(std::span<const CaptureArray> group, const std::function<void(Index)>& progress);
  void commit() { file_.commit(); }

  /// How many of the arrays can share a pass.
  std::size_t group_size(std::span<const CaptureArray> arrays) const {
    std::size_t size = 1;
    Index waiting = 0;
    while (size < arrays.size()) {
      waiting += arrays[size].shape.size() * decoded_.size();
      if (waiting > kWaiting) break;
      ++size;
    }
    return size;
  }

 private:
  const Member& member_;
  const Decoded& decoded_;
  NpzWriter file_;
};

void Capture::add_group(std::span<const CaptureArray> group,
                        const std::function<void(Index)>& progress) {
  std::vector<std::vector<float>> numbers(group.size());
  const Watcher watcher(member_, [&](TapId id, const Tensor& x) {
    for (std::size_t i = 0; i < group.size(); ++i) {
      if (group[i].tap != id) continue;
      if (group[i].head >= 0) {
        append_head(member_.model->taps()[id], x, group[i].head, numbers[i]);
      } else {
        numbers[i].insert(numbers[i].end(), x.flat<float>().begin(), x.flat<float>().end());
      }
    }
  });
  const Index block =
      std::clamp<Index>(kMostTokens / decoded_.read.source_length, 1, kMostProblems);
  file_.begin(group[0].name, with_batch(group[0].shape, decoded_.size()), NpyType::f32);
  for (Index first = 0; first < decoded_.size(); first += block) {
    const Index count = std::min(block, decoded_.size() - first);
    watcher.pass(decoded_.input(first, count));
    file_.append<float>(numbers[0]);
    numbers[0].clear();
    progress(count);
  }
  file_.end();
  for (std::size_t i = 1; i < group.size(); ++i)
    file_.add<float>(group[i].name, with_batch(group[i].shape, decoded_.size()), numbers[i]);
}

}  // namespace

std::vector<CaptureArray> find_arrays(const Member& member, std::span<const std::string> patterns) {
  return find_arrays(member.model->taps(), tap_shapes(member), patterns);
}

std::vector<CaptureArray> find_arrays(const TapTable& taps, std::vector<Shape> shapes,
                                      std::span<const std::string> patterns) {
  Finder finder(taps, std::move(shapes));
  for (const std::string& pattern : patterns) {
    const auto slices = find_heads(finder.taps(), pattern);
    for (const HeadSlice& slice : slices) finder.add_head(slice);
    if (!slices.empty()) continue;
    for (const TapId id : finder.taps().find(pattern)) finder.add_point(id);
  }
  return std::move(finder).found();
}

std::vector<CaptureArray> list_arrays(const TapTable& taps, std::vector<Shape> shapes,
                                      std::string_view pattern) {
  Finder finder(taps, std::move(shapes));
  const auto& points = finder.taps().points();
  for (std::size_t i = 0; i < points.size(); ++i)
    if (matches(pattern, points[i].path)) finder.add_point(static_cast<TapId>(i));
  for (const HeadSlice& slice : find_heads(finder.taps(), "**.head.*"))
    if (matches(pattern, slice.name)) finder.add_head(slice);
  for (const HeadSlice& slice : find_heads(finder.taps(), pattern)) finder.add_head(slice);
  auto found = std::move(finder).found();
  if (found.empty()) (void)taps.find(pattern);  // says what is near
  return found;
}

void capture_arrays(const Member& member, const Decoded& decoded,
                    std::span<const CaptureArray> arrays, std::span<const std::string> words,
                    const std::string& path, const DecodeProgress& progress) {
  Capture capture(member, decoded, path);
  capture.add_tokens(words);
  std::vector<CaptureArray> activations;
  for (const CaptureArray& array : arrays) {
    if (array.is_weight) {
      capture.add_weight(array);
    } else {
      activations.push_back(array);
    }
  }
  std::span<const CaptureArray> left(activations);
  Index done = 0;
  while (!left.empty()) {
    const std::size_t size = capture.group_size(left);
    const Index passes = 1 + static_cast<Index>((left.size() - 1) / size);
    capture.add_group(left.first(size), [&](Index count) {
      done += count;
      if (progress) progress(done, done - done % decoded.size() + passes * decoded.size());
    });
    left = left.subspan(size);
  }
  capture.commit();
}

}  // namespace heddle
