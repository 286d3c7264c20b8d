// The addition task: its data, a pure function of configuration and seed, and its tokens.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "heddle/config/config.hpp"
#include "heddle/task/addition/carries.hpp"
#include "heddle/task/addition/encoding.hpp"
#include "heddle/task/addition/problem.hpp"
#include "heddle/task/addition/splits.hpp"
#include "heddle/task/batch.hpp"

namespace heddle {

class Rng;

/// Read-only once made: threads may share it, and resuming needs nothing but the step's number.
class Addition {
 public:
  /// UsageError where the configuration's data cannot exist.
  explicit Addition(const Config& config);

  const AdditionEncoding& encoding() const { return encoding_; }
  int digits() const { return encoding_.digits(); }
  Index vocabulary() const { return kVocabulary; }

  /// The `train.batch` problems of step `step` (from 0), whatever was drawn before.
  void train_problems(Index step, std::vector<Problem>& out) const;
  /// The same as tokens.
  void train_batch(Index step, Batch& batch) const;

  std::span<const Problem> train() const { return splits_.train; }  ///< empty for a stream
  std::span<const Problem> validation() const { return splits_.validation; }
  std::span<const Problem> test() const { return splits_.test; }
  /// What had to be smaller than usual, and why; usually empty.
  const std::string& note() const { return splits_.note; }

  /// Make-up of what trains: the fixed set, or the stream's first 10,000 problems.
  Makeup train_makeup() const;
  /// Hash of all splits; of a stream, its first step stands for it.
  std::string data_hash() const;
  /// The share of carry-balanced problems at a step, after fading.
  double carry_balance(Index step) const;

  Index batch() const { return batch_; }
  std::uint64_t seed() const { return seed_; }

 private:
  template <class Use>
  void draw_step(Index step, Use&& use) const;
  Problem draw(Rng& rng, double balance) const;

  TaskConfig task_;
  std::uint64_t seed_;
  Index batch_;
  Index steps_;
  AdditionEncoding encoding_;
  Splits splits_;
  PairSet held_out_;
};

}  // namespace heddle
