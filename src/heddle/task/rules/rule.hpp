// Tasks that follow a rule: any input can be drawn, and its answer worked out.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "heddle/config/config.hpp"
#include "heddle/task/shape.hpp"

namespace heddle {

class Rng;

using Words = std::vector<std::int32_t>;

struct Rule {
  /// Draws an input; every input has a chance.
  std::function<void(Rng&, Words& input)> draw;
  /// The words, or the one label, that belong to it.
  std::function<void(std::span<const std::int32_t> input, Words& output)> answer;
  /// How many inputs there are.
  double inputs = 0;
  /// Unless empty, there are so few that all are listed, in groups 0 … groups − 1 of inputs that
  /// must not be told apart by what trains (a b and b a). A share of the groups trains.
  std::function<std::vector<Words>(std::uint64_t i)> group{};
  std::uint64_t groups = 0;
  std::string_view example_input = "3 1 4";       ///< for help texts
  std::string_view example_pair = "3 1 4,3 1 2";  ///< two inputs with different answers
};

Rule reverse_rule(const TaskConfig& task);
Rule sort_rule(const TaskConfig& task);
Rule modular_rule(const TaskConfig& task);

/// Of reverse and sort: lists of words; of modular: two numbers and a label.
TaskShape word_list_shape(const TaskConfig& task);
TaskShape modular_shape(const TaskConfig& task);

/// Words in 0 … symbols − 1, each length of task.lengths equally likely; and how many there are.
void draw_words(const TaskConfig& task, Rng& rng, Words& input);
double count_words(const TaskConfig& task);

}  // namespace heddle
