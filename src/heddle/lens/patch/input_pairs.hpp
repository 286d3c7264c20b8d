// Pairs of inputs that the user brings, and where their right answers part.
#pragma once

#include <string>
#include <vector>

#include "heddle/lens/asked.hpp"
#include "heddle/lens/patch/differences.hpp"

namespace heddle {

/// Two inputs with their right answers (empty where the task works them out), and perhaps one that
/// differs as much but should not matter.
struct InputPair {
  Index line = 0;  ///< where it stands in its file
  std::string a, b, answer_a, answer_b, control;
};
struct InputPairs {
  std::string path;
  std::vector<InputPair> pairs;
  bool controls = false;  ///< all pairs have one, else none
};
/// Columns a, b and, where they are there, answer_a, answer_b, control. FileError with the line.
InputPairs read_pairs(const std::string& path);

/// A pair as a model reads it.
struct ExaminedPair {
  std::vector<std::int32_t> a, b, control;  ///< in words; without a control it is empty
  std::vector<std::int32_t> answer_a;
  EncodedQuestions rows;  ///< a with its answer
  Index length = 0;       ///< of all inputs, in tokens
  /// The first position at which the right answers differ (0 for labels), and what should be said
  /// there to a and to b.
  PatchContrast contrast;
};
/// FileError with the line for inputs (or a control) of different lengths, equal answers, an answer
/// that is not known, or what is no question of the task.
ExaminedPair examine_pair(const Member& member, const Task& task, const InputPairs& pairs,
                          const InputPair& pair);

}  // namespace heddle
