// The data of the sortedness task: a pure function of settings and seed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "heddle/config/kinds.hpp"
#include "heddle/task/labelled_batch.hpp"
#include "heddle/task/questions.hpp"
#include "heddle/task/sortedness/negatives.hpp"
#include "heddle/task/sortedness/sequence.hpp"
#include "heddle/task/sortedness/values.hpp"

namespace heddle {

/// shuffle, adjacent, distant.
std::vector<NegativeKind> default_kinds();

struct SortednessSettings {
  Index min_length = 8, max_length = 16;  ///< values per sequence
  ValueKind values = ValueKind::windowed;
  std::vector<NegativeKind> kinds = default_kinds();
  DataSource source = DataSource::stream;
  Index batch = 64;
  std::uint64_t seed = 0;
  bool coin_flip = false;  ///< each label by a coin, no twins; otherwise exactly half are sorted
  RowLayout layout{};
};

/// stream  every step one length, each in the range equally likely. Half the rows are sorted, the
///         other half are their twins, made out of those very rows by the kinds in turn (equal
///         shares, the remainder goes round with the steps); rows in any order.
/// fixed   10,000 sequences, drawn once, each pair of twins (by a coin: each sequence) of a length
///         of its own; epochs in orders of their own, rows padded to the longest of their batch.
/// `dip` takes each of its depths equally often. Read-only once made: threads may share it, and
/// resuming needs nothing but the step's number.
class SortednessData {
 public:
  static constexpr Index kTrain = 10000;
  static constexpr Index kValidation = 2000;

  /// UsageError where such data cannot exist.
  explicit SortednessData(const SortednessSettings& settings);

  /// The sequences of step `step` (from 0), whatever was drawn before.
  void train_questions(Index step, Questions& out) const;
  /// The same as rows.
  void train_batch(Index step, LabelledBatch& batch) const;

  std::span<const LabelledSequence> train() const { return train_; }  ///< empty for a stream
  /// Drawn as `fixed` draws, and in no fixed training set of the same settings; what a stream
  /// draws may meet it by chance.
  std::span<const LabelledSequence> validation() const { return validation_; }

  /// Make-up of what trains: the fixed set, or the stream's first 10,000 sequences.
  SequenceMakeup train_makeup() const;
  /// Hash of training and validation; of a stream, its first step stands for it.
  std::string data_hash() const;

  const SortednessSettings& settings() const { return settings_; }
  const RowLayout& layout() const { return settings_.layout; }
  Index vocabulary() const { return kSortVocabulary; }
  Index batch() const { return settings_.batch; }

 private:
  void stream_questions(Index step, Questions& out) const;
  void fixed_questions(Index step, Questions& out) const;

  SortednessSettings settings_;
  std::vector<LabelledSequence> train_;
  std::vector<LabelledSequence> validation_;
};

}  // namespace heddle
