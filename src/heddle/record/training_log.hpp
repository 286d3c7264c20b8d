// What a training wrote down: a row per validation, the watchdogs' words, and where it stands.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/record/score.hpp"

namespace heddle {

struct LogRow {
  std::int64_t step = 0;
  std::int64_t samples = 0;
  double seconds = 0;  ///< of training so far; what a clock said, different on every run
  double learning_rate = 0;
  double train_loss = 0;  ///< mean since the row before, nats
  double gradient_norm = 0;
  double validation_loss = 0;
  // On the validation set, of an adder:
  Count tokens, teacher_forced, greedy;
  std::vector<Count> by_carries;  ///< greedy
  // … of a classifier:
  Count accuracy;
  double predicted_positive = 0;
};

/// A watchdog that spoke up.
struct Warning {
  std::int64_t step = 0;
  std::string watchdog;  ///< "plateau", "constant first token", "forced ≠ greedy"
  std::string message;
};

/// Shares of one split: how many problems have 0, 1, … carries and so on; or, where `by_carries` is
/// empty, what its sequences are made of.
struct SplitMakeup {
  std::string split;
  std::int64_t count = 0;
  std::vector<double> by_carries;
  double cascades = 0, double_cascades = 0, top_carries = 0;
  double positives = 0, ties = 0, gap1 = 0;  ///< sorted ones; of their neighbours; of the unequal
  double descents = 0;                       ///< of an unsorted one, on average
  bool examples = false;                     ///< of a task of words: its count is all there is
};

struct TrainingLog {
  std::string version, isa, config_hash, data_hash;
  std::string defect;  ///< the defect that this run reproduces on purpose; usually empty
  std::vector<SplitMakeup> makeup;
  std::vector<LogRow> rows;
  std::vector<Warning> warnings;
  std::int64_t best_step = 0;  ///< whose weights model.safetensors holds
  bool finished = false;
};

/// "step 4800, plateau: …": a warning speaks of its step, not of the end.
std::string text_of(const Warning& warning);
/// What a split of 0 examples has: only a training draws as it goes.
std::string of_no_examples(std::string_view split);

std::string to_json(const TrainingLog& log);
/// Reads to_json() back; throws Error for anything else.
TrainingLog parse_training_log(std::string_view json);
/// A run's training_log.json, with a checksum, and back; FileError, one line, for what is none.
void write_training_log(const std::string& path, const TrainingLog& log);
TrainingLog read_training_log(const std::string& path);
/// One line per row, with a header.
std::string to_csv(const TrainingLog& log);

}  // namespace heddle
