// What an evaluation of a member found on one list of questions: counts, broken down by the task's
// facets.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

struct Count {
  std::int64_t correct = 0;
  std::int64_t total = 0;

  void add(bool right) {
    correct += right ? 1 : 0;
    ++total;
  }
  Count& operator+=(const Count& other) {
    correct += other.correct;
    total += other.total;
    return *this;
  }
  double share() const {
    return total == 0 ? 0.0 : static_cast<double>(correct) / static_cast<double>(total);
  }
  friend bool operator==(const Count&, const Count&) = default;

  static void fields(auto& self, auto&& field) {
    field("correct", self.correct);
    field("total", self.total);
  }
};

/// Right answers among the questions (or words) with one value of a facet.
struct FacetRow {
  std::string value;  ///< its name: "2", "never seen"
  std::string text;   ///< the same in a table of its own: "carries 2"
  std::string key{};  ///< in files, where it stands for itself: "unseen"
  Count count{};

  friend bool operator==(const FacetRow&, const FacetRow&) = default;
};

/// The same questions told apart in one way; see task/facets.hpp.
struct FacetScore {
  std::string key, name, unit, row_key;
  bool single = false;  ///< its rows stand for themselves, not in a list
  bool known = true;    ///< false: nothing was known of these questions
  std::vector<FacetRow> rows{};

  friend bool operator==(const FacetScore&, const FacetScore&) = default;
};

/// How often a label is the right one and is then given, and how often it is given at all.
struct LabelCount {
  std::string label;
  Count count{};
  std::int64_t given = 0;

  static void fields(auto& self, auto&& field) {
    field("label", self.label);
    field("correct", self.count.correct);
    field("total", self.count.total);
    field("given", self.given);
  }
};

/// Of tasks that ask for a sequence: `greedy` to `first_right`; of those that ask for a label:
/// `accuracy` and `by_label`.
struct Score {
  std::string set;                 ///< "validation", "test", "census"
  Count greedy;                    ///< whole answers, decoded
  Count teacher_forced;            ///< questions with every loss-bearing position right
  Count teacher_forced_tokens;     ///< loss-bearing positions
  std::int64_t disagreements = 0;  ///< questions that only one of the two gets right: a defect
  std::int64_t common_first = 0;   ///< decoded answers that begin with the most common first word
  std::string common_first_word;   ///< which is this one
  Count first_right;               ///< decoded answers whose first word is right

  Count accuracy;
  std::vector<LabelCount> by_label;

  std::vector<FacetScore> facets;     ///< of whole answers, or labels; of words where it says so
  double loss = 0;                    ///< mean over what bears loss, nats
  std::vector<std::string> mistakes;  ///< the first few wrong answers

  bool labels() const { return accuracy.total > 0; }
  /// Whole answers, whatever they are.
  const Count& right() const { return labels() ? accuracy : greedy; }
  /// The largest number of answers that are one label, and its share.
  std::int64_t most_given_count() const;
  double most_given() const { return share_of(most_given_count()); }
  /// The share of the answers that are this label; of the most given one for −1.
  double share_given(std::int32_t label) const;
  /// The share of the label that is right most often.
  double most_true() const;
  /// One label for nearly all, where none is right for nearly all.
  bool constant() const;
  /// The counts of a facet's rows by its key, or of one row by its own; empty if there is none.
  std::vector<Count> counts(std::string_view key) const;
  Count count(std::string_view row_key) const;

 private:
  double share_of(std::int64_t part) const {
    return accuracy.total > 0 ? static_cast<double>(part) / static_cast<double>(accuracy.total) : 0;
  }
};

}  // namespace heddle
