// See average_pictures.hpp.
#include "heddle/lens/addition/average_pictures.hpp"

#include <algorithm>
#include <array>

#include "heddle/base/index.hpp"
#include "heddle/lens/addition/columns.hpp"
#include "heddle/lens/asked.hpp"
#include "heddle/lens/pictures.hpp"
#include "heddle/lens/specialise/patterns.hpp"
#include "heddle/task/addition/carries.hpp"
#include "heddle/task/addition/words.hpp"

namespace heddle {
namespace {

std::string carries_text(std::size_t carries) {
  return fmt::format("{} {}", carries, carries == 1 ? "carry" : "carries");
}

std::size_t cells_of(std::span<const PatternModule> modules) {
  Index cells = 0;
  for (const PatternModule& module : modules) cells += module.cells();
  return to_size(cells);
}

/// Patterns of all modules, one after the other, summed over the problems.
std::vector<double> pattern_sums(const Member& member, std::span<const PatternModule> modules,
                                 const EncodedQuestions& questions, Team& team) {
  std::vector<std::size_t> starts{0};
  for (const PatternModule& module : modules)
    starts.push_back(starts.back() + to_size(module.cells()));
  return sum_patterns(member, questions, starts.back(), team,
                      [&](const PatternBlock& block, std::span<double> sums) {
                        const std::size_t start = starts[block.module];
                        const std::size_t cells = starts[block.module + 1] - start;
                        for (std::size_t i = 0; i < block.weights.size(); ++i)
                          sums[start + i % cells] += static_cast<double>(block.weights[i]);
                      });
}

/// The average as a picture; the axes are the caller's.
AttentionPicture picture_of(std::span<const PatternModule> modules, std::span<const double> sums,
                            std::string name, std::size_t problems) {
  AttentionPicture picture;
  picture.name = std::move(name);
  picture.problems = static_cast<std::int64_t>(problems);
  for (const PatternModule& module : modules) {
    AttentionGrid& grid = picture.modules.emplace_back(AttentionGrid{.module = module.name,
                                                                     .heads = module.heads,
                                                                     .queries = module.queries,
                                                                     .keys = module.keys,
                                                                     .weights = {}});
    const auto cells = to_size(module.cells());
    for (const double sum : sums.first(cells))
      grid.weights.push_back(rounded_weight(sum / static_cast<double>(problems)));
    sums = sums.subspan(cells);
  }
  return picture;
}

/// The two digits of one column.
struct Column {
  std::uint8_t a, b;
};
/// A problem from its lowest columns, those above in turn, and, where one is given, the top one.
struct Recipe {
  std::vector<Column> low, above, top;
};

Column column_at(const Recipe& recipe, std::size_t place, bool top) {
  if (top && !recipe.top.empty()) return recipe.top[0];
  if (place < recipe.low.size()) return recipe.low[place];
  return recipe.above[(place - recipe.low.size()) % recipe.above.size()];
}

Problem build(const Recipe& recipe, std::size_t digits) {
  Problem problem{.digits = static_cast<int>(digits)};
  for (std::size_t i = 0; i < digits; ++i) {
    const Column column = column_at(recipe, i, i + 1 == digits);
    problem.a[i] = column.a;
    problem.b[i] = column.b;
  }
  return problem;
}

}  // namespace

std::vector<AttentionPicture> average_pictures(const Member& member,
                                               std::span<const Problem> problems, Team& team) {
  check<UsageError>(!problems.empty(), "attention: no problems to average over");
  const TaskShape& shape = member.model->shape();
  std::vector<std::vector<Problem>> classes(to_size(digits_of(shape)) + 1);
  for (const Problem& problem : problems)
    classes[to_size(carries_of(problem).count)].push_back(problem);

  const auto rows = [&](std::span<const Problem> some) {
    return encoded(member, questions_of(some));
  };
  const std::vector<PatternModule> modules = pattern_modules(member, rows(problems.first(1)));
  std::vector<double> all(cells_of(modules));
  std::vector<AttentionPicture> pictures(1);
  for (std::size_t carries = 0; carries < classes.size(); ++carries) {
    if (classes[carries].empty()) continue;
    const std::vector<double> sums = pattern_sums(member, modules, rows(classes[carries]), team);
    std::ranges::transform(all, sums, all.begin(), std::plus{});
    pictures.push_back(picture_of(modules, sums, carries_text(carries), classes[carries].size()));
  }
  pictures.front() = picture_of(modules, all, "all", problems.size());
  for (AttentionPicture& picture : pictures) {
    picture.source = position_names(shape, Stream::source);
    picture.target = position_names(shape, Stream::target);
  }
  return pictures;
}

std::vector<Problem> example_problems(int digits) {
  const std::array<Recipe, 7> recipes{{{{}, {{4, 4}, {7, 1}}, {{3, 8}}},
                                       {{}, {{3, 5}, {2, 2}, {1, 4}}, {}},
                                       {{{7, 8}}, {{2, 5}, {1, 3}}, {}},
                                       {{{7, 8}, {4, 5}}, {{3, 2}}, {}},
                                       {{{6, 4}}, {{5, 4}, {4, 5}}, {}},
                                       {{{9, 1}}, {{9, 0}}, {}},
                                       {{{0, 9}}, {{5, 4}, {4, 5}}, {}}}};
  std::vector<Problem> problems;
  for (const Recipe& recipe : recipes) {
    const Problem problem = build(recipe, to_size(digits));
    if (std::ranges::find(problems, problem) == problems.end()) problems.push_back(problem);
  }
  return problems;
}

}  // namespace heddle
