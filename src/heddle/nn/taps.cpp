// See taps.hpp.
#include "heddle/nn/taps.hpp"

#include <array>

#include "heddle/base/index.hpp"
#include "heddle/base/text.hpp"
#include "heddle/ops/arithmetic.hpp"

namespace heddle {
namespace {

/// What a head can be asked for; z is what "<module>.head.<n>" alone means.
constexpr std::array<std::string_view, 7> kHeadParts = {"z",      "q",       "k",     "v",
                                                        "scores", "pattern", "result"};

std::string head_name(const HeadGroup& group, Index head, std::string_view part) {
  return part == "z" ? fmt::format("{}.head.{}", group.module, head)
                     : fmt::format("{}.head.{}.{}", group.module, head, part);
}

[[noreturn]] void refuse(const TapTable& table, std::string_view pattern) {
  std::vector<std::string> names;
  for (const TapPoint& point : table.points()) names.push_back(point.path);
  for (const HeadGroup& group : table.heads())
    for (Index head = 0; head < group.heads; ++head) names.push_back(head_name(group, head, "z"));
  const auto near = nearest(pattern, names, 3);
  throw TapError(fmt::format("no tap is called {}; {} (all: heddle taps RUN)", quote(pattern),
                             near.empty() ? "no name is near" : "near names: " + join(near, ", ")));
}

/// Applies an edit to one head alone: the edit sees the whole tensor, the others keep their value.
Edit on_head(const Edit& edit, Index head) {
  return [edit, head](const TapSite& site, const Var& x) {
    const int axis = site.axis(Axis::head);
    std::vector<double> mine(to_size(x.value.dim(axis)), 0.0), others = mine;
    for (Index h = 0; h < x.value.dim(axis); ++h) (h == head ? mine : others)[to_size(h)] = 1.0;
    return add(scale_slices(edit(site, x), axis, mine), scale_slices(x, axis, others));
  };
}

}  // namespace

std::string_view name_of(Axis axis) {
  constexpr std::array<std::string_view, 8> kNames = {"batch", "position", "head", "query",
                                                      "key",   "feature",  "row",  "column"};
  return kNames[to_size(axis)];
}

TapId TapTable::add(TapPoint point) {
  for (const TapPoint& other : points_)
    check<TapError>(other.path != point.path, "two taps are called '{}'", point.path);
  points_.push_back(std::move(point));
  return static_cast<TapId>(points_.size()) - 1;
}

std::vector<TapId> TapTable::find(std::string_view pattern) const {
  std::vector<TapId> found;
  for (std::size_t i = 0; i < points_.size(); ++i)
    if (matches(pattern, points_[i].path)) found.push_back(static_cast<TapId>(i));
  if (found.empty()) refuse(*this, pattern);
  return found;
}

std::vector<TapId> TapTable::with_role(TapRole role) const {
  std::vector<TapId> found;
  for (std::size_t i = 0; i < points_.size(); ++i)
    if (points_[i].role == role) found.push_back(static_cast<TapId>(i));
  return found;
}

std::vector<HeadSlice> find_heads(const TapTable& table, std::string_view pattern) {
  std::vector<HeadSlice> found;
  if (pattern.find("head.") == std::string_view::npos) return found;  // "**" means points alone
  for (const HeadGroup& group : table.heads())
    for (const std::string_view part : kHeadParts)
      for (Index head = 0; head < group.heads; ++head) {
        const std::string name = head_name(group, head, part);
        if (matches(pattern, name))
          found.push_back({table.find(fmt::format("{}.{}", group.module, part))[0], head, name});
      }
  return found;
}

int TapSite::axis(Axis wanted) const {
  for (std::size_t i = 0; i < point.axes.size(); ++i)
    if (point.axes[i] == wanted) return static_cast<int>(i);
  throw TapError(fmt::format("tap '{}' has no axis '{}'", point.path, name_of(wanted)));
}

Edits& Edits::on(std::string_view pattern, const Edit& edit) {
  const auto slices = find_heads(*table_, pattern);
  for (const HeadSlice& slice : slices)
    by_point_[to_size(slice.tap)].push_back(on_head(edit, slice.head));
  if (!slices.empty()) return *this;
  for (const TapId id : table_->find(pattern)) by_point_[to_size(id)].push_back(edit);
  return *this;
}

Var Edits::apply(TapId id, Index offset, Var x) const {
  const TapSite site{(*table_)[id], offset};
  for (const Edit& edit : by_point_[to_size(id)]) {
    Var edited = edit(site, x);
    check<TapError>(edited.value.shape() == x.value.shape(), "tap '{}': an edit turned {} into {}",
                    site.point.path, x.value.shape(), edited.value.shape());
    x = std::move(edited);
  }
  return x;
}

}  // namespace heddle
