// What probes ask of which problems: the same for every place, so worked out once.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "heddle/lens/addition/carry_probes.hpp"

namespace heddle {

/// Whatever is asked about a column depends on its sum (0 … 18) and its carry: one of 38 classes.
inline constexpr std::size_t kColumnClasses = 38;
using ColumnClasses = std::array<bool, kColumnClasses>;

/// A yes-or-no question about one column, and the test problems that score it: as many yes as no.
struct ProbeQuestion {
  ColumnClasses yes{};
  std::vector<Index> test;
};

struct ProbeTarget {
  std::string name;
  std::size_t column = 0;
  ProbeQuestion carry;
  std::vector<ProbeQuestion> controls;  ///< [a + b ≥ k]
  std::vector<Index> kept_out;          ///< train problems with a digit pair that is held out
  ProbeQuestion held_out;               ///< scored on those digit pairs alone
};

/// Targets that are fitted on the same problems.
struct ProbeSample {
  std::vector<Index> train;
  std::vector<ProbeTarget> targets;
};

/// Problems are numbered train first, then test.
class ProbePlan {
 public:
  ProbePlan(const Config& config, const ProbeProblems& problems, const ProbeOptions& options);

  const std::vector<Problem>& problems() const { return problems_; }
  const std::vector<ProbeSample>& samples() const { return samples_; }
  std::size_t targets() const { return targets_; }
  /// The class of this problem's column.
  std::size_t class_of(Index problem, std::size_t column) const;

 private:
  void add_sample(int nine);
  ProbeTarget target_of(std::size_t column, int nine, std::span<const Index> train,
                        std::span<const Index> test) const;
  /// Test problems of a question, yes and no equally many: the first of each.
  ProbeQuestion balanced(const ColumnClasses& yes, std::size_t column,
                         std::span<const Index> test) const;

  std::size_t digits_, train_;
  std::uint64_t seed_;
  ProbeOptions options_;
  std::vector<Problem> problems_;
  std::vector<std::uint8_t> classes_;  // [problem, column]
  std::vector<ProbeSample> samples_;
  std::size_t targets_ = 0;
};

}  // namespace heddle
