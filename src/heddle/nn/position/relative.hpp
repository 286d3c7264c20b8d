// What an encoding inside self-attention is: it acts on queries and keys, or on the scores between
// them. encodings.hpp lists them.
#pragma once

#include <memory>
#include <vector>

#include "heddle/base/index.hpp"
#include "heddle/nn/builder.hpp"
#include "heddle/nn/run.hpp"
#include "heddle/ops/dense_scores.hpp"
#include "heddle/ops/distance.hpp"

namespace heddle {

/// Which keys the heads see: all of them; even heads those before a query and odd heads those
/// after it (both see the query's own place); all heads those before it.
enum class Direction : std::uint8_t { both, split, causal };

/// How scores become weights: exp; the same with queries times s·ln n; 1.5-entmax.
enum class Normaliser : std::uint8_t { softmax, log_n, entmax };

/// What an encoding changes.
enum class Where : std::uint8_t { inputs, queries_keys, scores };

struct RelativeSizes {
  Index heads = 0, d_head = 0;
  Index reach = 0;      ///< t5: where the last bucket begins; shaw: clips there; 0: 16 and 8
  double base = 10000;  ///< rope
  Direction direction = Direction::both;
  std::vector<double> slopes = {};  ///< alibi at the start; empty: 1, 1, ½, ½, 1, 1, …
  bool classic_slopes = false;      ///< alibi at the start: 2^(−8h/H), h = 1 … H
  // Where heads were cut out, those that are left keep their direction and their slope.
  std::vector<Index> numbers = {};  ///< which heads of the whole attention these are; empty: all
  Index all_heads = 0;              ///< … out of how many; 0: `heads`

  /// The number of the h-th head in the whole attention.
  Index number(Index h) const { return numbers.empty() ? h : numbers[to_size(h)]; }
};

class Relative {
 public:
  explicit Relative(const RelativeSizes& sizes);
  virtual ~Relative() = default;
  Relative(const Relative&) = delete;  // tapes point at what its heads see
  Relative& operator=(const Relative&) = delete;

  virtual Where where() const { return Where::scores; }

  /// Queries or keys [batch, position, head, feature], the first row standing at `first`.
  virtual Var turn(const Var& x, Index /*first*/) const { return x; }

  /// Is there anything that depends on the distance alone?
  bool has_table() const { return tabled() || !sees_.empty(); }
  /// It: [heads, 2·span − 1], with −inf where a head does not look.
  Var table(Run& run, Index span, DType dtype) const;

  /// Is there anything that depends on more than the distance?
  virtual bool has_dense() const { return false; }
  /// It: [batch or 1, head, query, key]; q are the queries of the range alone.
  virtual Var dense(Run& run, const Var& q, const QueryRange& range) const;

  /// What each head sees; empty: everything.
  std::span<const VisibleSide> sees() const { return sees_; }

 protected:
  virtual bool tabled() const { return false; }
  /// The table before anything is hidden.
  virtual Var distances(Run& run, Index span, DType dtype) const;

 private:
  Index heads_;
  std::vector<VisibleSide> sees_;
};

}  // namespace heddle
