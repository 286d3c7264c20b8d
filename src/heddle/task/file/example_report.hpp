// What a file's examples are like: balance, lengths, doubles, contradictions and leaks.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "heddle/task/file/example_set.hpp"

namespace heddle {

/// Tokens of a sequence.
struct Lengths {
  Index shortest = 0, median = 0, longest = 0;
};

/// How many there are, and the lines of the two examples that show the first of them.
struct Occurrences {
  Index count = 0;
  Index first_line = 0, second_line = 0;  ///< 0 where there is none
};

struct ExampleReport {
  ExampleForm form = ExampleForm::pairs;
  std::string hash;  ///< content_hash()
  Index examples = 0;
  Index inputs = 0;  ///< different ones
  Index tokens = 0;  ///< different ones
  std::array<Index, kSplits> split_sizes{};
  bool own_splits = false;
  Index moved_to_training = 0;

  Occurrences duplicates;      ///< examples equal to an earlier one, in input and answer
  Occurrences contradictions;  ///< inputs with more than one answer
  Occurrences leaks;           ///< inputs in more than one split; the lines are of two splits
  std::array<Index, kSplits> leaked_examples{};  ///< of validation and test: input also in training

  Lengths input_lengths;
  Lengths output_lengths;  ///< zeros for labels

  std::vector<std::string> labels;                       ///< by id; empty for pairs
  std::vector<std::array<Index, kSplits>> label_counts;  ///< by id, examples per split

  /// The label, or the first token of the output, that training has most often, and the share of
  /// each split that has it: what guessing it always would score. 0 for an empty split.
  std::string majority;
  std::array<double, kSplits> majority_share{};
};

ExampleReport report_of(const ExampleSet& set);

/// The report as a reader wants it, a fact a line.
std::vector<std::string> report_lines(const ExampleReport& report);

}  // namespace heddle
