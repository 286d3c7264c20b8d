// See sortedness_fixture.hpp.
#include "tests/support/report/sortedness_fixture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "heddle/base/rng.hpp"
#include "tests/support/report/sortedness_explanations.hpp"

namespace heddle::testing {
namespace {

constexpr std::array<std::int64_t, 8> kLengths{8, 12, 16, 32, 64, 256, 1024, 4096};
constexpr std::int64_t kTotal = 2000;

struct Kind {
  const char* name;
  std::int64_t delta;
  double hard;  ///< 0 … 1
};
constexpr std::array<Kind, 6> kKinds{{{"swaps", 0, 0.1},
                                      {"adjacent", 0, 1},
                                      {"dip", 1, 0.9},
                                      {"dip", 5, 0.6},
                                      {"dip", 25, 0.3},
                                      {"reverse", 0, 0}}};

/// A made-up recipe: how good it is in range, and how much of it is left per doubling.
struct Recipe {
  const char *name, *group, *position, *pooling;
  double in_range, keeps;
  double ceiling;
};
constexpr std::array<Recipe, 9> kRecipes{{
    {"alibi-max", "recipe", "alibi", "max", 1, 0.995, -1},
    {"sinusoidal-mean", "required", "sinusoidal", "mean", 0.995, 0.5, -1},
    {"learned-mean", "required", "learned", "mean", 0.999, 0.4, 0.53},
    {"none-mean", "required", "none", "mean", 0.6, 0.6, 0.5},
    {"none-multi", "required", "none", "multi", 1, 0.97, -1},
    {"rope-max", "contrast", "rope", "max", 0.999, 0.9, -1},
    {"alibi-max-uniform", "contrast", "alibi", "max", 1, 0.7, -1},
    {"reports-sinusoidal-mean", "reports", "sinusoidal", "mean", 0.5, 1, -1},
    {"hand-built", "hand-built", "causal", "attention", 1, 1, -1},
}};

double accuracy_at(const Recipe& recipe, const Kind& kind, std::int64_t length, double luck) {
  const double octaves = std::max(0.0, std::log2(static_cast<double>(length) / 16));
  const double left = std::pow(recipe.keeps, octaves * (0.2 + kind.hard) * (0.7 + 0.6 * luck));
  return 0.5 + (recipe.in_range - 0.5) * left;
}

SortCell cell_of(const Recipe& recipe, const Kind& kind, std::int64_t length, double luck) {
  const double accuracy = accuracy_at(recipe, kind, length, luck);
  SortCell cell;
  cell.length = length;
  cell.kind = kind.name;
  cell.delta = kind.delta;
  cell.correct = std::llround(accuracy * static_cast<double>(kTotal));
  cell.total = kTotal;
  cell.low = std::max(0.0, accuracy - 0.012);
  cell.high = std::min(1.0, accuracy + 0.011);
  cell.tpr = std::min(1.0, 2 * accuracy - std::max(0.0, 2 * accuracy - 1));
  cell.tnr = 2 * accuracy - cell.tpr;
  cell.auroc = std::min(1.0, accuracy + 0.02);
  cell.predicted_positive = (cell.tpr + 1 - cell.tnr) / 2;
  cell.constant = accuracy < 0.505;
  cell.threshold = 0.125;
  cell.ceiling = cell.kind == "adjacent" && length > 16 ? recipe.ceiling : -1;
  cell.pairs_correct = cell.correct / 2;
  cell.pairs_total = kTotal / 2;
  cell.ties = 0.08;
  cell.gap1 = 0.15;
  cell.descents = 1;
  return cell;
}

SortMember member_of(const Recipe& recipe, std::uint64_t seed) {
  Rng rng(seed, recipe.name);
  SortMember member;
  member.recipe = recipe.name;
  member.seed = seed;
  member.position = recipe.position;
  member.pooling = recipe.pooling;
  member.normaliser = "softmax";
  member.direction = "split";
  member.norm = "pre";
  member.values = "windowed";
  member.kinds = "shuffle, adjacent, distant";
  member.lengths = "8-16";
  member.layers = 4;
  member.d_model = 128;
  member.heads = 4;
  member.parameters = 812'034;
  member.steps = member.best_step = 6000;
  member.batch = 64;
  member.threshold = 0.125;
  member.in_range = recipe.in_range - 0.001 * rng.uniform();
  member.learned = member.in_range >= 0.99;
  member.constant = recipe.in_range == 0.5;
  if (member.constant)
    member.watchdogs = {"step 40, plateau: the loss stays within .01 of ln 2",
                        "step 50, constant predictor: <1>"};
  for (std::int64_t step = 200; step <= 6000; step += 200) {
    const double learned = 1 / (1 + std::exp(-(static_cast<double>(step) - 2000) / 300));
    const double gain = (2 * recipe.in_range - 1) * learned;
    member.log.push_back({.step = step,
                          .train_loss = 0.6931 * (1 - gain) + 1e-5 * (1 + rng.uniform()),
                          .validation_loss = 0.6931 * (1 - gain) + 3e-5 * (1 + rng.uniform()),
                          .accuracy = 0.5 + 0.5 * gain,
                          .predicted_positive = member.constant ? 1 : 0.5 + 0.1 * rng.uniform()});
  }
  const double luck = rng.uniform();
  for (const std::string values : {"uniform", "windowed"})
    for (const Kind& kind : kKinds)
      for (const std::int64_t length : kLengths) {
        member.cells.push_back(cell_of(recipe, kind, length, luck));
        member.cells.back().values = values;
      }
  return member;
}

double measured(const SortCell& cell, const std::string& measure) {
  if (measure == "accuracy")
    return static_cast<double>(cell.correct) / static_cast<double>(cell.total);
  if (measure == "tpr") return cell.tpr;
  if (measure == "tnr") return cell.tnr;
  return static_cast<double>(cell.pairs_correct) / static_cast<double>(cell.pairs_total);
}

SortEstimate estimate_of(const SortCell& cell, const std::string& measure,
                         std::vector<double> values) {
  std::ranges::sort(values);
  SortEstimate estimate;
  estimate.length = cell.length;
  estimate.kind = cell.kind;
  estimate.delta = cell.delta;
  estimate.values = cell.values;
  estimate.measure = measure;
  estimate.seeds = static_cast<std::int64_t>(values.size());
  estimate.ceiling = cell.ceiling;
  if (values.empty()) return estimate;
  estimate.median = values[values.size() / 2];
  estimate.low = estimate.worst = values.front();
  estimate.high = estimate.best = values.back();
  return estimate;
}

SortPopulation population_of(const Recipe& recipe, const std::vector<SortMember>& members) {
  SortPopulation population;
  population.recipe = recipe.name;
  population.group = recipe.group;
  population.description = fmt::format("{} positions, {} pooling", recipe.position, recipe.pooling);
  population.position = recipe.position;
  population.pooling = recipe.pooling;
  population.normaliser = "softmax";
  population.direction = "split";
  population.values = "windowed";
  population.reads_order = population.pooling == "multi";
  std::vector<const SortMember*> own;
  for (const SortMember& member : members)
    if (member.recipe == recipe.name) own.push_back(&member);
  for (const SortMember* member : own) {
    population.seeds.push_back(member->seed);
    population.learned += member->learned ? 1 : 0;
  }
  population.learned_low = population.learned > 0 ? 0.2924 : 0;
  population.learned_high = population.learned > 0 ? 1 : 0.7076;
  for (const std::string measure : {"accuracy", "tpr", "tnr", "pairs"})
    for (std::size_t i = 0; i < own.front()->cells.size(); ++i)
      for (const bool given : {false, true}) {
        std::vector<double> values;
        for (const SortMember* member : own)
          if (!given || member->learned) values.push_back(measured(member->cells[i], measure));
        if (values.empty()) continue;
        population.estimates.push_back(estimate_of(own.front()->cells[i], measure, values));
        population.estimates.back().given_learned = given;
      }
  return population;
}

void add_claims(SortednessStudy& study, int seeds) {
  study.claims = {{.id = "S1",
                   .report = "all",
                   .statement = "attention logits of sinusoids depend on t − s only",
                   .predicate = "W_Q W_Kᵀ commutes",
                   .rule = "argument",
                   .logical = true,
                   .verdict = Verdict::refuted,
                   .reason = "only for special W",
                   .evidence = "explanations",
                   .findings = {}},
                  {.id = "S2",
                   .report = "A, C",
                   .statement = "sinusoidal extrapolates, learned fails",
                   .predicate = "accuracy at 256 ≥ .9",
                   .rule = "holds: ≥ 90 % of members; refuted: ≤ 50 %",
                   .verdict = Verdict::undecided,
                   .reason = "too few members",
                   .evidence = "extrapolation",
                   .findings = {{.recipe = "sinusoidal-mean",
                                 .hits = 0,
                                 .seeds = seeds,
                                 .low = 0,
                                 .high = 0.7076,
                                 .text = "median 51.2 %"}}}};
  study.reproductions = {{.report = "A, C",
                          .quantity = "sinusoidal at 256",
                          .reported = ".512",
                          .with_defect = "51.0 % (median of 3)",
                          .truth = "52.3 % (median of 3)",
                          .cause = "a constant predictor: the label share"}};
}

}  // namespace

SortednessStudy sortedness_fixture(int seeds) {
  SortednessStudy study;
  study.version = "0.1.0";
  study.isa = "avx2";
  study.preset = "quick";
  study.command = "./heddle study sortedness --out study";
  study.scale = {{.name = "seeds", .value = static_cast<double>(seeds)},
                 {.name = "sequences per set", .value = kTotal}};
  study.config = "{\n  \"model\": {\"position\": \"alibi\"},\n  \"seed\": 1\n}";
  for (const Recipe& recipe : kRecipes)
    for (int seed = 1; seed <= (recipe.group == std::string("hand-built") ? 1 : seeds); ++seed)
      study.members.push_back(member_of(recipe, static_cast<std::uint64_t>(seed)));
  for (const Recipe& recipe : kRecipes)
    study.populations.push_back(population_of(recipe, study.members));
  add_explanations(study);
  add_claims(study, seeds);
  return study;
}

SortednessStudy bare_sortedness() {
  const double none = std::numeric_limits<double>::quiet_NaN();
  SortednessStudy study;
  study.version = "0.1.0";
  SortMember& member = study.members.emplace_back();
  member.recipe = "alibi-max";
  member.seed = 7;
  member.log.push_back({.step = 1,
                        .train_loss = none,
                        .validation_loss = none,
                        .accuracy = none,
                        .predicted_positive = none});
  SortPopulation& population = study.populations.emplace_back();
  population.recipe = "alibi-max";
  population.group = "recipe";
  population.pooling = "max";
  SortEstimate& estimate = population.estimates.emplace_back();
  estimate.length = 8;
  estimate.kind = "reverse";
  estimate.values = "uniform";
  estimate.measure = "accuracy";
  estimate.median = estimate.low = estimate.high = estimate.worst = estimate.best = none;
  study.explanations.emplace_back().id = "dilution";
  study.explanations.emplace_back().maps.emplace_back().rows = 3;  // and no values
  study.claims.emplace_back().verdict = Verdict::undecided;
  return study;
}

}  // namespace heddle::testing
