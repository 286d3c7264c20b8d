// Taps: named points of a forward pass that can be watched or edited. Names are resolved to points
// before a pass starts; inside it a tap costs one branch.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/autograd/tape.hpp"
#include "heddle/base/index.hpp"

namespace heddle {

enum class Axis : std::uint8_t { batch, position, head, query, key, feature, row, column };
std::string_view name_of(Axis axis);

using TapId = int;

/// Whose tokens the rows of a point belong to: what a model is given to read (source), or what it
/// reads while it answers (target; a decoder without an encoder reads the question there too).
enum class Stream : std::uint8_t { none, source, target };

/// What a point is, for those who look for it by that and not by its name.
enum class TapRole : std::uint8_t {
  other,
  token_table,     ///< weight: a row per token
  position_table,  ///< weight: a row per place
  embedding,       ///< where a residual stream begins
  block_end,       ///< the residual stream behind a block
  logits
};

/// One point: where it is in the model and what the axes of the tensor there mean.
struct TapPoint {
  std::string path;        ///< "encoder.0.self.pattern"
  std::vector<Axis> axes;  ///< outermost first
  Shape shape;             ///< a weight's extents; for activations 0 where the input decides
  bool is_weight = false;
  Stream stream = Stream::none;  ///< of its rows; of a weight: of those that it is applied to
  TapRole role = TapRole::other;
};

/// Whom an attention may look at: all tokens of its own stream, those up to the one that asks, or
/// the tokens of another stream.
enum class AttentionKind : std::uint8_t { self, causal_self, cross };

/// One attention and its heads, addressed as "<module>.head.<n>".
struct HeadGroup {
  std::string module;  ///< "encoder.0.self"
  Index heads = 0;
  AttentionKind kind = AttentionKind::self;
  Stream queries = Stream::none, keys = Stream::none;
  TapId first_tap = 0;                      ///< of its points
  TapId scores = -1, pattern = -1, z = -1;  ///< none without heads
};

/// All points of a model, in the order data passes them.
class TapTable {
 public:
  TapId add(TapPoint point);
  void add_heads(HeadGroup group) { heads_.push_back(std::move(group)); }

  const TapPoint& operator[](TapId id) const { return points_[to_size(id)]; }
  const std::vector<TapPoint>& points() const { return points_; }
  const std::vector<HeadGroup>& heads() const { return heads_; }
  /// The points whose path matches; TapError with near names where none does.
  std::vector<TapId> find(std::string_view pattern) const;
  /// The points of this role, perhaps none.
  std::vector<TapId> with_role(TapRole role) const;

 private:
  std::vector<TapPoint> points_;
  std::vector<HeadGroup> heads_;
};

/// A point as an edit meets it: `offset` is the position of the first row, not 0 in cached
/// decoding.
struct TapSite {
  const TapPoint& point;
  Index offset = 0;

  /// Which axis of the tensor this is; TapError if the point has no such axis.
  int axis(Axis wanted) const;
};

/// VisibleSide the value at a point and returns the one to carry on with.
using Edit = std::function<Var(const TapSite&, const Var&)>;

/// Edits hung on the points of one model. The model is never changed, so nothing has to be undone.
class Edits {
 public:
  explicit Edits(const TapTable& table) : table_(&table), by_point_(table.points().size()) {}

  /// '*' stands for any characters within one path segment, '**' for any at all. "….head.3" is
  /// slice 3 of the module's z. A pattern that matches nothing is an error that lists near names.
  Edits& on(std::string_view pattern, const Edit& edit);

  const TapTable& table() const { return *table_; }
  bool watches(TapId id) const { return !by_point_[to_size(id)].empty(); }
  Var apply(TapId id, Index offset, Var x) const;

 private:
  const TapTable* table_;
  std::vector<std::vector<Edit>> by_point_;
};

/// A slice of a point along its head axis: what "encoder.0.self.head.3" or "….head.3.pattern"
/// means.
struct HeadSlice {
  TapId tap = -1;
  Index head = -1;
  std::string name;  ///< as addressed: "encoder.0.self.head.3"
};
/// Every head slice whose name ("<module>.head.<n>" for z, "<module>.head.<n>.<what>") matches.
std::vector<HeadSlice> find_heads(const TapTable& table, std::string_view pattern);

}  // namespace heddle
