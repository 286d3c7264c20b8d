// Two studies side by side: what their populations say about the same quantities.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "heddle/record/addition_study.hpp"
#include "heddle/record/sortedness_study.hpp"

namespace heddle::report {

/// One quantity of one recipe in both studies; nothing where a study does not have it.
struct Compared {
  std::string recipe, list, name;
  std::optional<Estimate> a, b;

  /// Both are there and their intervals do not meet.
  bool apart() const;
};

/// Headline numbers, where the critical head stands, roles, pruning and circuit, in the order of
/// `a`.
std::vector<Compared> compare(const AdditionStudy& a, const AdditionStudy& b);
/// How many seeds learned the task, and every median over seeds.
std::vector<Compared> compare(const SortednessStudy& a, const SortednessStudy& b);

/// "66.7 % [20.8 %, 93.9 %], 3 seeds", or a dash.
std::string estimate_text(const std::optional<Estimate>& estimate);

}  // namespace heddle::report
