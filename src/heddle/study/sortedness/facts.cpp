// See facts.hpp.
#include "heddle/study/sortedness/facts.hpp"

#include <string>

#include "heddle/base/fields.hpp"
#include "heddle/study/sortedness/recipes.hpp"

namespace heddle {
namespace {

using Accuracy = std::optional<double>;

Accuracy accuracy_on(const SortCell* cell) {
  if (cell == nullptr || cell->total == 0) return std::nullopt;
  return static_cast<double>(cell->correct) / static_cast<double>(cell->total);
}

Accuracy on_benchmark(const SortMember& member) {
  return accuracy_on(benchmark_cell(member));
}

/// The member of another recipe and the same seed.
const SortMember* sibling(SortednessMembers all, std::string_view recipe, std::uint64_t seed) {
  for (const SortMember& other : all)
    if (other.recipe == recipe && other.seed == seed) return &other;
  return nullptr;
}

/// "sinusoidal-mean" for "sinusoidal-multi".
std::string recipe_with_mean(const SortMember& member) {
  const std::string ending = "-" + field_text(PoolingSetting::multi);
  std::string recipe = member.recipe;
  if (recipe.ends_with(ending)) recipe.resize(recipe.size() - ending.size());
  return recipe + "-" + field_text(PoolingSetting::mean);
}

}  // namespace

const SortCell* cell_at(const SortMember& member, std::int64_t length, NegativeKind kind,
                        ValueKind values) {
  const SortCell* best = nullptr;
  int best_rank = -1;
  for (const SortCell& cell : member.cells) {
    if (cell.length != length || cell.kind != field_text(kind)) continue;
    const int rank = (cell.values == field_text(values) ? 2 : 0) + (cell.pairs_total > 0 ? 1 : 0);
    if (rank <= best_rank) continue;
    best = &cell;
    best_rank = rank;
  }
  return best;
}

const SortCell* benchmark_cell(const SortMember& member) {
  return cell_at(member, kFarLength, NegativeKind::swaps, ValueKind::uniform);
}

std::optional<double> on_twins(const SortMember& member, std::int64_t length) {
  return accuracy_on(cell_at(member, length, NegativeKind::adjacent, ValueKind::windowed));
}

std::optional<double> extrapolated_accuracy(const SortMember& member, SortednessMembers) {
  return member.learned ? on_benchmark(member) : std::nullopt;
}

std::optional<double> twins_if_solved(const SortMember& member) {
  constexpr double kSolved = 0.99;
  const Accuracy benchmark = on_benchmark(member);
  return benchmark && *benchmark >= kSolved ? on_twins(member, kFarLength) : std::nullopt;
}

std::optional<double> gain_over_mean(const SortMember& member, SortednessMembers all) {
  const SortMember* mean = sibling(all, recipe_with_mean(member), member.seed);
  const Accuracy ours = on_benchmark(member),
                 theirs = mean != nullptr ? on_benchmark(*mean) : std::nullopt;
  return ours && theirs ? Accuracy(*ours - *theirs) : std::nullopt;
}

std::optional<bool> extrapolates_only_with_multi(const SortMember& member, SortednessMembers all) {
  const Accuracy gain = gain_over_mean(member, all), ours = on_benchmark(member);
  if (!gain) return std::nullopt;
  return *ours >= kReaches && *ours - *gain < kReaches;
}

std::optional<bool> fails_only_with_mean(const SortMember& member, SortednessMembers all) {
  const SortMember* recipe = sibling(all, tuned_recipe(), member.seed);
  const Accuracy ours = on_twins(member, kFarLength),
                 theirs = recipe != nullptr ? on_twins(*recipe, kFarLength) : std::nullopt;
  if (!ours || !theirs) return std::nullopt;
  return *ours < kReaches && *theirs >= kReaches;
}

}  // namespace heddle
