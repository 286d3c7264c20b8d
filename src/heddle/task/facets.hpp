// Facets: the ways in which a score is broken down.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "heddle/task/questions.hpp"

namespace heddle {

/// One way to tell questions (or the words of their answers) apart.
struct Facet {
  std::string key;   ///< in files: "by_carries"
  std::string name;  ///< for readers: "by carries"
  std::string unit;  ///< what its values count: "carries"
  /// What files call the number of a row: "carries"; nothing where rows are known by their order.
  std::string row_key{};
  /// The names of values 0, 1, …; empty where a value is a number that is not known ahead.
  std::vector<std::string> values{};
  std::vector<std::string> texts{};  ///< the same in a table of their own; empty: unit and value
  /// Unless empty, each value stands for itself, under its own key, and not in a list.
  std::vector<std::string> value_keys{};
  bool of_words = false;  ///< tells apart the words of an answer, by their column
  bool known = true;      ///< false: the facet exists, but nothing is known of these questions
};

/// The facets of a task.
class Facets {
 public:
  explicit Facets(std::vector<Facet> list) : list_(std::move(list)) {}
  virtual ~Facets() = default;
  Facets(const Facets&) = delete;
  Facets& operator=(const Facets&) = delete;

  const std::vector<Facet>& list() const { return list_; }
  /// The question's value of each facet of the list; −1 where it has none.
  virtual void values(const Question& question, std::span<Index> out) const = 0;

 private:
  std::vector<Facet> list_;
};

}  // namespace heddle
