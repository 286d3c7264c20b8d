// The sets on which sortedness is tested: named by length, kind and values, drawn one sequence at a
// time.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "heddle/task/exam.hpp"
#include "heddle/task/labelled_batch.hpp"
#include "heddle/task/sortedness/negatives.hpp"
#include "heddle/task/sortedness/sequence.hpp"
#include "heddle/task/sortedness/values.hpp"

namespace heddle {

/// The seed of the sets that every evaluation asks; no training draws from these streams.
inline constexpr std::uint64_t kSetSeed = 1;

struct SetSpec {
  Index length = 16;
  NegativeKind kind = NegativeKind::adjacent;
  std::int32_t delta = 0;  ///< of `dip`; 0 otherwise
  ValueKind values = ValueKind::uniform;
  Index count = 1000;
  std::uint64_t seed = 0;
  bool coin_flip = false;  ///< labels by a coin and no twins, as in the reports
};

/// The reports' own sets, named `as-reported`: 500 per length, labels by a coin, `swaps`, uniform
/// values.
SetSpec as_reported(Index length, std::uint64_t seed);

/// Sequence 2i is sorted and 2i + 1 its twin, made out of it; so exactly half are sorted. With
/// coin_flip every sequence stands alone. A sequence depends on seed, length, kind, Δ, values and
/// its index only: not on count, nor on what was drawn before. Nothing is held in memory.
class SortedSet {
 public:
  /// UsageError for an odd count, a length too short for the kind, or a Δ that does not fit it.
  explicit SortedSet(const SetSpec& spec);

  const SetSpec& spec() const { return spec_; }
  Index size() const { return spec_.count; }
  bool twins() const { return !spec_.coin_flip; }

  /// Fills `out`, `length` long, with sequence `index`; whether it is sorted.
  bool draw(Index index, std::span<std::int32_t> out) const;
  /// Sequences `first` … `first + count − 1` as rows, cut at the end of the set.
  void block(Index first, Index count, const RowLayout& layout, LabelledBatch& batch) const;
  /// The same as questions.
  void block(Index first, Index count, Questions& out) const;
  /// What the whole set is made of, by drawing it.
  SequenceMakeup makeup() const;

 private:
  SetSpec spec_;
  std::string stream_;
};

/// The set as an exam.
class SortedExam : public Exam {
 public:
  explicit SortedExam(const SetSpec& spec) : set_(spec) {}

  Index size() const override { return set_.size(); }
  Index longest_input() const override { return set_.spec().length; }
  void block(Index first, Index count, Questions& out) const override {
    set_.block(first, count, out);
  }

 private:
  SortedSet set_;
};

/// "adjacent", "dip" (by 1), "dip5"; UsageError, which names `setting`, for any other word.
Spoil parse_spoil(std::string_view setting, std::string_view word);

}  // namespace heddle
