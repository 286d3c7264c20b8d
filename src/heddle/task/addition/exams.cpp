// What the addition task asks beside its two sets, and by what its scores are broken down.
#include <algorithm>
#include <optional>

#include "heddle/task/addition/addition.hpp"
#include "heddle/task/addition/carries.hpp"
#include "heddle/task/addition/census.hpp"
#include "heddle/task/addition/words.hpp"

namespace heddle {
namespace {

constexpr std::string_view kCensus = "census";

class CensusExam : public Exam {
 public:
  explicit CensusExam(int digits) : census_(digits), input_words_(2 * digits + 1) {}

  Index size() const override { return census_.size(); }
  Index longest_input() const override { return input_words_; }
  void block(Index first, Index count, Questions& out) const override {
    out.clear();
    for (Index number = first; number < std::min(first + count, size()); ++number)
      add_problem(census_.at(number), out);
  }

 private:
  Census census_;
  Index input_words_;
};

std::vector<std::string> numbered(std::string_view before, Index count) {
  std::vector<std::string> names;
  for (Index i = 0; i < count; ++i) names.push_back(fmt::format("{}{}", before, i));
  return names;
}

Facet facet_of_digits(int digits) {
  Facet facet{.key = "by_digit",
              .name = "by digit of the sum",
              .unit = "power of ten",
              .values = numbered("", digits + 1),
              .of_words = true};
  for (int column = 0; column <= digits; ++column)
    facet.texts.push_back(column == 0 ? "units digit" : fmt::format("10^{} digit", column));
  return facet;
}

std::vector<Facet> facets_of(int digits, bool seen_known) {
  return {{.key = "by_seen",
           .name = "by training",
           .unit = "pairs",
           .values = {"seen in training", "never seen"},
           .texts = {"pairs seen in training", "pairs never seen"},
           .value_keys = {"seen", "unseen"},
           .known = seen_known},
          {.key = "by_carries",
           .name = "by carries",
           .unit = "carries",
           .row_key = "carries",
           .values = numbered("", digits + 1)},
          {.key = "by_cascade",
           .name = "by longest cascade",
           .unit = "columns",
           .row_key = "length",
           .values = numbered("", digits),
           .texts = numbered("longest cascade ", digits)},
          facet_of_digits(digits),
          {.key = "by_length_of_sum",
           .name = "by length of the sum",
           .unit = "digits",
           .values = {"one digit more"},
           .texts = {"sum one digit longer"},
           .value_keys = {"top_carry"}}};
}

class AdditionFacets : public Facets {
 public:
  AdditionFacets(int digits, std::optional<SeenPairs> seen)
      : Facets(facets_of(digits, seen.has_value())), seen_(std::move(seen)) {}

  void values(const Question& question, std::span<Index> out) const override {
    const Problem problem = problem_of(question.input);
    const Carries carries = carries_of(problem);
    out[0] = !seen_ ? -1 : seen_->contains(problem) ? 0 : 1;
    out[1] = carries.count;
    out[2] = carries.cascade;
    out[3] = -1;
    out[4] = carries.top ? 0 : -1;
  }

 private:
  std::optional<SeenPairs> seen_;
};

}  // namespace

std::vector<std::string> Addition::exam_names() const {
  std::vector<std::string> names = Task::exam_names();
  if (digits() <= Census::kLargest) names.emplace_back(kCensus);
  return names;
}

std::unique_ptr<Exam> Addition::exam(std::string_view name) const {
  if (name == kCensus) return std::make_unique<CensusExam>(digits());
  return Task::exam(name);
}

std::unique_ptr<Facets> Addition::facets(Index steps) const {
  std::optional<SeenPairs> seen;
  if (steps > 0 && digits() <= Census::kLargest) seen = seen_in_training(*this, steps);
  return std::make_unique<AdditionFacets>(digits(), std::move(seen));
}

}  // namespace heddle
