// See specialise.hpp.
#include "heddle/lens/addition/column_roles.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "heddle/base/index.hpp"
#include "heddle/lens/addition/hit_rules.hpp"
#include "heddle/lens/asked.hpp"
#include "heddle/lens/specialise/roles.hpp"
#include "heddle/lens/specialise/row_shape.hpp"
#include "heddle/task/addition/words.hpp"

namespace heddle {
namespace {

/// A measure of a row's shape, and what a uniform row has.
struct Shaped {
  std::string_view name;
  double (*measure)(std::span<const float>);
  double uniform;
};
constexpr std::array<Shaped, 3> kShapes{
    {{"entropy", normalised_entropy, 1}, {"gini", gini, 0}, {"hoyer", hoyer, 0}}};

constexpr std::array<std::string_view, 4> kReported{"diagonal", "carry", "entropy", "sparsity"};
constexpr std::size_t kReportedCarry = 1;
constexpr double kOverTenth = 0.1;

/// Report D's four numbers of one pattern [query, key] over 2n + 1 tokens, as we read them.
std::array<double, kReported.size()> reported_of(std::span<const float> pattern, std::size_t keys) {
  std::array<double, kReported.size()> numbers{};
  const std::size_t digits = keys / 2;
  double steps = 0;  // from a digit to the one on its right, within an operand
  for (std::size_t q = 0; q < keys; ++q) {
    const auto row = pattern.subspan(q * keys, keys);
    numbers[0] += static_cast<double>(row[q]) / static_cast<double>(keys);
    if (q + 1 < keys && q != digits && q + 1 != digits) {
      numbers[kReportedCarry] += static_cast<double>(row[q + 1]);
      steps += 1;
    }
    numbers[2] += row_entropy(row);
    for (const float weight : row) numbers[3] += static_cast<double>(weight) > kOverTenth ? 1 : 0;
  }
  if (steps > 0) numbers[kReportedCarry] /= steps;
  numbers[3] /= static_cast<double>(keys * keys);
  return numbers;
}

/// One module's share of the sums: for every measure rows and their uniform values, then for every
/// head its values, then report D's.
class ModuleSums {
 public:
  ModuleSums(const PatternModule& module, const TaskShape& shape, std::size_t start)
      : module_(module), plan_(plan_hits(module, shape)), start_(start) {}

  std::size_t end() const { return reported_at(to_size(module_.heads)); }

  void add(std::span<const float> pattern, const ColumnFacts& facts, std::span<double> sums) const {
    for (const HitRule& rule : plan_.rules)
      if (counts(rule, facts)) add_hit_rule(rule, pattern, sums);
    for (Index q = 0; q < module_.queries; ++q)
      if (module_.allowed(q) >= 2) add_shapes(q, pattern, sums);
    if (module_.kind != AttentionKind::self) return;
    for (Index h = 0; h < module_.heads; ++h) {
      const auto cells = to_size(module_.queries * module_.keys);
      const auto here = pattern.subspan(to_size(h) * cells, cells);
      const auto numbers = reported_of(here, to_size(module_.keys));
      for (std::size_t i = 0; i < numbers.size(); ++i)
        sums[reported_at(to_size(h)) + i] += numbers[i];
    }
  }

  void write(std::span<const double> sums, double problems, Specialisation& out) const {
    for (Index h = 0; h < module_.heads; ++h) {
      const std::string head = fmt::format("{}.head.{}", module_.name, h);
      for (std::size_t m = 0; m < measures(); ++m) {
        const double rows = sums[rows_at(m)];
        if (rows == 0) continue;
        out.measures.push_back({.head = head,
                                .measure = name_of_measure(m),
                                .value = sums[value_at(h, m)] / rows,
                                .uniform = sums[uniform_at(m)] / rows});
      }
      if (module_.kind == AttentionKind::self) write_reported(head, h, sums, problems, out);
    }
  }

 private:
  std::size_t measures() const { return kShapes.size() + plan_.measures.size(); }
  std::string name_of_measure(std::size_t m) const {
    return m < kShapes.size() ? std::string(kShapes[m].name) : plan_.measures[m - kShapes.size()];
  }
  std::size_t rows_at(std::size_t m) const { return start_ + m; }
  std::size_t uniform_at(std::size_t m) const { return start_ + measures() + m; }
  std::size_t value_at(Index head, std::size_t m) const {
    return start_ + (2 + to_size(head)) * measures() + m;
  }
  std::size_t reported_at(std::size_t head) const {
    return value_at(module_.heads, 0) + head * kReported.size();
  }
  std::span<const float> row_of(std::span<const float> pattern, Index head, Index query) const {
    return pattern.subspan(to_size((head * module_.queries + query) * module_.keys),
                           to_size(module_.allowed(query)));
  }

  void add_hit_rule(const HitRule& rule, std::span<const float> pattern,
                    std::span<double> sums) const {
    const std::size_t m = kShapes.size() + rule.measure;
    sums[rows_at(m)] += 1;
    sums[uniform_at(m)] +=
        static_cast<double>(rule.keys.size()) / static_cast<double>(module_.allowed(rule.query));
    for (Index h = 0; h < module_.heads; ++h) {
      const auto row = row_of(pattern, h, rule.query);
      for (const Index key : rule.keys)
        sums[value_at(h, m)] += static_cast<double>(row[to_size(key)]);
    }
  }
  void add_shapes(Index query, std::span<const float> pattern, std::span<double> sums) const {
    for (std::size_t m = 0; m < kShapes.size(); ++m) {
      sums[rows_at(m)] += 1;
      sums[uniform_at(m)] += kShapes[m].uniform;
      for (Index h = 0; h < module_.heads; ++h)
        sums[value_at(h, m)] += kShapes[m].measure(row_of(pattern, h, query));
    }
  }
  void write_reported(const std::string& head, Index h, std::span<const double> sums,
                      double problems, Specialisation& out) const {
    const auto keys = static_cast<double>(module_.keys);
    const std::array<double, kReported.size()> uniform{1 / keys, 1 / keys, keys * std::log(keys),
                                                       1 / keys > kOverTenth ? 1.0 : 0.0};
    for (std::size_t i = 0; i < kReported.size(); ++i) {
      if (i == kReportedCarry && module_.keys == 3) continue;  // one digit has no neighbour
      out.as_reported.push_back({.head = head,
                                 .measure = std::string(kReported[i]),
                                 .value = sums[reported_at(to_size(h)) + i] / problems,
                                 .uniform = uniform[i]});
    }
  }

  const PatternModule& module_;
  HitPlan plan_;
  std::size_t start_;
};

}  // namespace

Specialisation specialise_columns(const Member& member, std::span<const Problem> problems,
                                  Team& team, const DecodeProgress& progress) {
  check<UsageError>(!problems.empty(), "specialise: no problems to look at");
  const EncodedQuestions questions = encoded(member, questions_of(problems));
  const std::vector<PatternModule> modules = pattern_modules(member, questions);
  std::vector<ModuleSums> plans;
  for (const PatternModule& module : modules)
    plans.emplace_back(module, member.model->shape(), plans.empty() ? 0 : plans.back().end());
  const auto add = [&](const PatternBlock& block, std::span<double> sums) {
    const auto cells = to_size(modules[block.module].cells());
    for (std::size_t i = 0; i < to_size(block.problems.count); ++i) {
      const auto problem = to_size(block.problems.first) + i;
      plans[block.module].add(block.weights.subspan(i * cells, cells),
                              column_facts(problems[problem]), sums);
    }
  };
  const std::size_t size = plans.empty() ? 0 : plans.back().end();
  const std::vector<double> sums = sum_patterns(member, questions, size, team, add, progress);
  Specialisation found{.problems = static_cast<std::int64_t>(problems.size()),
                       .measures = {},
                       .roles = {},
                       .as_reported = {}};
  for (const ModuleSums& plan : plans)
    plan.write(sums, static_cast<double>(problems.size()), found);
  found.roles = roles_of(found.measures);
  return found;
}

}  // namespace heddle
