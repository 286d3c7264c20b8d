// See study_fixture.hpp.
#include "tests/support/report/study_fixture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "heddle/base/index.hpp"
#include "heddle/base/rng.hpp"

namespace heddle::testing {
namespace {

constexpr std::array kModules{"encoder.0.self", "encoder.1.self",  "decoder.0.self",
                              "decoder.1.self", "decoder.0.cross", "decoder.1.cross"};
constexpr int kHeads = 4;
constexpr std::int64_t kProblems = 2000;

std::vector<std::string> head_names() {
  std::vector<std::string> names;
  for (const char* module : kModules)
    for (int head = 0; head < kHeads; ++head)
      names.push_back(fmt::format("{}.head.{}", module, head));
  return names;
}

Count of(std::int64_t correct, std::int64_t total) {
  return {.correct = std::clamp<std::int64_t>(correct, 0, total), .total = total};
}
Count share_of(double share, std::int64_t total) {
  return of(std::llround(share * static_cast<double>(total)), total);
}

void add_curve(MemberRecord& member, Rng& rng) {
  for (std::int64_t step = 0; step <= 2000; step += 100) {
    const double learned =
        1 / (1 + std::exp(-(static_cast<double>(step) - 800 - 60 * rng.uniform()) / 120));
    const double greedy = member.defect.empty() ? learned : 0.4 * learned;
    CurveRow row{.step = step,
                 .samples = 128 * step,
                 .learning_rate = 1e-3 * std::min(1.0, static_cast<double>(step) / 100),
                 .train_loss = 2.3 * (1 - learned) + 0.001,
                 .validation_loss = 2.3 * (1 - learned) + 0.002,
                 .tokens = share_of(0.1 + 0.9 * learned, 4 * kProblems),
                 .teacher_forced = share_of(learned, kProblems),
                 .greedy = share_of(greedy, kProblems),
                 .by_carries = {}};
    for (int carries = 0; carries <= 3; ++carries)
      row.by_carries.push_back(share_of(std::pow(greedy, 1 + 0.5 * carries), 500));
    member.curve.push_back(row);
  }
}

AdditionScore score(bool defect, std::int64_t total, const std::string& set) {
  AdditionScore score;
  score.set = set;
  const double greedy = defect ? 0.396 : 1;
  score.greedy = share_of(greedy, total);
  score.teacher_forced = of(total, total);
  score.teacher_forced_tokens = of((defect ? 3 : 4) * total, (defect ? 3 : 4) * total);
  score.disagreements = score.teacher_forced.correct - score.greedy.correct;
  for (int i = 0; i < 4; ++i)
    score.by_carries.push_back(share_of(defect ? 0.9 - 0.25 * i : 1, total / 4));
  score.by_cascade = {share_of(greedy, total * 9 / 10), share_of(greedy, total / 10)};
  for (int i = 0; i < (defect ? 3 : 4); ++i) score.by_digit.push_back(of(total, total));
  score.top_carry = share_of(defect ? 0 : 1, total / 2);
  score.seen = share_of(greedy, total / 3);
  score.unseen = share_of(greedy, total - total / 3);
  score.loss = 0.00123;
  if (defect) score.mistakes = {"374+814=0188", "<999>+999=0998"};
  return score;
}

Effect effect(const std::string& what, AblationMode mode, double drop, const Count& baseline) {
  const auto lost = std::llround(drop * static_cast<double>(baseline.total));
  Effect out;
  out.what = what;
  out.mode = mode;
  out.count = of(baseline.correct - lost, baseline.total);
  out.drop = static_cast<double>(baseline.correct - out.count.correct) /
             static_cast<double>(baseline.total);
  out.low = out.drop - 0.012;
  out.high = out.drop + 0.014;
  out.p = drop > 0.002 ? 1e-9 : 0.4;
  out.p_holm = std::min(1.0, 72 * out.p);
  out.margin_drop = 8 * drop + 0.05;
  out.by_digit = {drop, drop / 2, drop / 3, std::numeric_limits<double>::quiet_NaN()};
  out.by_carries = {drop / 2, drop, drop, 2 * drop};
  out.band = band_of(out.drop);
  return out;
}

void add_ablation(MemberRecord& member, Rng& rng) {
  Ablation& ablation = member.ablation;
  ablation.baseline = member.test.greedy;
  ablation.margin = 11.5;
  ablation.reference = 2000;
  ablation.donors = 8;
  std::vector<double> drops;
  for (std::size_t i = 0; i < head_names().size(); ++i)
    drops.push_back(0.5 * std::pow(rng.uniform(), 6) * member.test.greedy.share());
  for (const AblationMode mode : {AblationMode::zero, AblationMode::mean, AblationMode::resample})
    for (std::size_t i = 0; i < drops.size(); ++i)
      ablation.heads.push_back(effect(head_names()[i], mode,
                                      mode == AblationMode::zero ? 1.1 * drops[i] : drops[i],
                                      ablation.baseline));
  for (const char* module : kModules)
    ablation.modules.push_back(effect(module, AblationMode::mean,
                                      0.6 * rng.uniform() * ablation.baseline.share(),
                                      ablation.baseline));
  for (const std::string& head : head_names())
    ablation.leave_one_in.push_back(effect(head, AblationMode::mean,
                                           0.3 * rng.uniform() * ablation.baseline.share(),
                                           ablation.baseline));
  for (std::size_t a = 0; a < drops.size(); ++a)
    for (std::size_t b = a + 1; b < drops.size(); ++b) {
      PairEffect pair;
      pair.a = head_names()[a];
      pair.b = head_names()[b];
      pair.excess =
          a / 4 == b / 4 ? 0.3 * std::pow(rng.uniform(), 3) : 0.02 * (rng.uniform() - 0.5);
      pair.drop = drops[a] + drops[b] + pair.excess;
      pair.low = pair.drop - 0.01;
      pair.high = pair.drop + 0.01;
      pair.count = share_of(ablation.baseline.share() - pair.drop, kProblems);
      ablation.pairs.push_back(pair);
    }
}

PruneCurve prune_curve(PruneOrder by, std::int64_t repeat, const Count& intact, Rng& rng) {
  PruneCurve curve;
  curve.by = by;
  curve.repeat = repeat;
  const double knee = by == PruneOrder::measured ? 8 : by == PruneOrder::gradient ? 11 : 17;
  std::vector<std::string> names = head_names();
  for (std::int64_t left = 24; left >= 0; --left) {
    const double at = static_cast<double>(left) - knee + rng.uniform();
    PrunePoint point;
    point.heads_left = left;
    point.cut = left == 24 ? "" : names[to_size(left)];
    point.scored = share_of(intact.share() / (1 + std::exp(-2 * at)), kProblems);
    point.chosen_on = point.scored;
    point.low = std::max(0.0, point.scored.share() - 0.02);
    point.high = std::min(1.0, point.scored.share() + 0.02);
    if (left == 24) point.scored = intact;
    if (point.scored == intact) curve.free_heads = 24 - left;
    curve.points.push_back(point);
  }
  return curve;
}

void add_pruning(MemberRecord& member, Rng& rng) {
  Pruning& pruning = member.pruning;
  for (const AblationMode mode : {AblationMode::zero, AblationMode::mean}) {
    PruneCounts counts;
    counts.mode = mode;
    counts.heads = 24;
    for (const Effect& effect : member.ablation.heads) {
      if (effect.mode != mode) continue;
      counts.within_1_point += effect.drop <= 0.01 ? 1 : 0;
      counts.within_5_points += effect.drop <= 0.05 ? 1 : 0;
      counts.within_relative_1_percent += effect.drop <= 0.01 * member.test.greedy.share() ? 1 : 0;
      if (effect.drop > 0.01) counts.must_retain.push_back(effect.what);
    }
    pruning.counts.push_back(counts);
  }
  pruning.curves.push_back(prune_curve(PruneOrder::measured, 0, member.test.greedy, rng));
  pruning.curves.push_back(prune_curve(PruneOrder::gradient, 0, member.test.greedy, rng));
  for (int repeat = 0; repeat < 3; ++repeat)
    pruning.curves.push_back(prune_curve(PruneOrder::random, repeat, member.test.greedy, rng));
  pruning.cut = {"decoder.0.self.head.1", "encoder.1.self.head.0"};
  pruning.logit_difference = 3.1e-6;
  pruning.smaller = {{.name = "intact",
                      .heads_left = 24,
                      .parameters = 927'118,
                      .scored = member.test.greedy,
                      .low = 0.998,
                      .high = 1},
                     {.name = "pruned",
                      .heads_left = 10,
                      .parameters = 697'230,
                      .scored = of(1990, 2000),
                      .low = 0.991,
                      .high = 0.997},
                     {.name = "from scratch",
                      .heads_left = 10,
                      .parameters = 697'230,
                      .steps = 2000,
                      .scored = of(1950, 2000),
                      .low = 0.967,
                      .high = 0.981}};
}

void add_specialisation(MemberRecord& member, Rng& rng) {
  Specialisation& out = member.specialisation;
  out.problems = kProblems;
  for (const std::string& head : head_names()) {
    for (const auto& [measure, uniform] : {std::pair{"entropy", 1.0},
                                           {"operator", 1.0 / 7},
                                           {"aligned", 2.0 / 7},
                                           {"previous", 1.0 / 7}})
      out.measures.push_back(
          {.head = head, .measure = measure, .value = rng.uniform(), .uniform = uniform});
    if (rng.uniform() < 0.4)
      out.roles.push_back({.head = head,
                           .role = rng.uniform() < 0.5 ? "column" : "operator",
                           .score = 0.5 + 0.5 * rng.uniform()});
    for (const char* measure : {"diagonal", "carry", "entropy", "sparsity"})
      out.as_reported.push_back(
          {.head = head, .measure = measure, .value = rng.uniform(), .uniform = 1.0 / 7});
  }
}

AttentionGrid grid(const std::string& module, std::int64_t queries, std::int64_t keys, Rng& rng) {
  AttentionGrid out;
  out.module = module;
  out.heads = kHeads;
  out.queries = queries;
  out.keys = keys;
  out.weights = {};
  const bool causal = module.starts_with("decoder") && module.ends_with("self");
  for (std::int64_t row = 0; row < kHeads * queries; ++row) {
    std::vector<double> weights;
    double sum = 0;
    for (std::int64_t key = 0; key < keys; ++key) {
      weights.push_back(causal && key > row % queries ? 0 : std::pow(rng.uniform(), 5));
      sum += weights.back();
    }
    for (const double weight : weights) out.weights.push_back(weight / sum);
  }
  return out;
}

AttentionPicture picture(const std::string& name, bool single, bool defect, Rng& rng) {
  AttentionPicture out;
  out.name = name;
  out.problems = single ? 1 : kProblems;
  if (single) {
    out.output = defect ? "0188" : "1188";
    out.expected = "1188";
    for (const char letter : name) out.source.emplace_back(1, letter);
    out.target = {defect ? "0" : "BOS", "1", "1", "8"};
  } else {
    out.source = {"a2", "a1", "a0", "+", "b2", "b1", "b0"};
    out.target = {"BOS", "s3", "s2", "s1"};
  }
  for (const std::string module : kModules) {
    const bool encoder = module.starts_with("encoder"), cross = module.ends_with("cross");
    out.modules.push_back(grid(module, encoder ? 7 : 4, encoder || cross ? 7 : 4, rng));
  }
  return out;
}

PatchEffect patch(std::int64_t column, const std::string& direction, const std::string& place,
                  double size) {
  PatchEffect out;
  out.column = column;
  out.direction = direction;
  out.place = place;
  out.pairs = 500;
  out.effect = size;
  out.low = size - 0.03;
  out.high = size + 0.03;
  out.control = 0.01;
  out.control_low = -0.01;
  out.control_high = 0.03;
  return out;
}

void add_circuit(MemberRecord& member, Rng& rng) {
  const std::array tokens{"a2", "a1", "a0", "+", "b2", "b1", "b0"};
  for (std::int64_t column = 0; column < 3; ++column)
    for (const std::string direction : {"on", "off"}) {
      for (const std::string& head : head_names())
        member.patching.heads.push_back(patch(column, direction, head, std::pow(rng.uniform(), 6)));
      for (const std::string stage :
           {"encoder.0.after", "encoder.1.after", "decoder.0.after", "decoder.1.after"})
        for (std::int64_t position = 0; position < (stage.starts_with("encoder") ? 7 : 4);
             ++position) {
          PatchEffect effect = patch(column, direction, stage, std::pow(rng.uniform(), 3));
          effect.position = position;
          effect.token = stage.starts_with("encoder") ? tokens[to_size(position)]
                                                      : fmt::format("s{}", 3 - position);
          member.patching.stream.push_back(effect);
        }
    }
  PatchEffect place = patch(0, "on", "encoder.0.self.head.2", 0.7);
  place.position = 1;
  place.token = "a1";
  member.patching.places = {place};
  member.patching.path = {"0|stream|encoder.embed.out|a0|0.62",
                          "0|head|encoder.0.self.head.2|a1|0.91",
                          "0|stream|encoder.0.resid_after|a1|0.85",
                          "0|stream|encoder.0.resid_after|b1|0.40",
                          "0|head|decoder.1.cross.head.1|s2|0.55",
                          "0|stream|decoder.1.resid_after|s2|1.00",
                          "0|digit|logits|s1|1.00",
                          "1|stream|encoder.embed.out|b1|0.54",
                          "1|head|encoder.1.self.head.0|b1|0.12",
                          "1|digit|logits|s2|1.00"};
  member.probing = {.trained_on = 4000, .tested_on = 2000, .probes = {}};
  for (const std::string tap : {"encoder.0.before", "encoder.0.after", "encoder.1.after"})
    for (std::int64_t column = 0; column < 3; ++column)
      member.probing.probes.push_back({.tap = tap,
                                       .position = 6 - column,
                                       .token = fmt::format("b{}", column),
                                       .target = fmt::format("carry.{}", column),
                                       .accuracy = 0.6 + 0.4 * rng.uniform(),
                                       .low = 0.58,
                                       .high = 1,
                                       .majority = 0.55,
                                       .control = 0.7,
                                       .untrained = 0.62,
                                       .held_out = 0.8});
}

void add_snapshots(MemberRecord& member, Rng& rng) {
  for (const std::int64_t step : {10, 30, 100, 300, 1000, 2000}) {
    const double learned = 1 / (1 + std::exp(-(static_cast<double>(step) - 500) / 120));
    Snapshot shot;
    shot.step = step;
    shot.greedy = share_of(learned, 500);
    shot.tokens = share_of(0.1 + 0.9 * learned, 2000);
    for (int carries = 0; carries <= 3; ++carries)
      shot.by_carries.push_back(share_of(std::pow(learned, 1 + carries), 500));
    for (const char* module : kModules)
      shot.modules.push_back({.name = module, .value = learned * 0.5 * rng.uniform()});
    shot.roles = {{.name = "column", .value = std::floor(learned * 6)},
                  {.name = "operator", .value = std::floor(learned * 3)}};
    shot.measures = {{.name = "aligned", .value = 0.3 + 0.6 * learned},
                     {.name = "operator", .value = 0.15 + 0.3 * learned}};
    member.snapshots.push_back(shot);
  }
}

MemberRecord member_of(const std::string& recipe, std::uint64_t seed) {
  Rng rng(seed, "fixture " + recipe);
  MemberRecord member;
  member.recipe = recipe;
  member.seed = seed;
  member.config_hash = "0123456789abcdef";
  member.data_hash = "fedcba9876543210";
  member.weights_hash = fmt::format("aa{:014x}", seed);
  member.isa = "avx2";
  if (recipe != "tuned") member.defect = "the first digit is never learned (no BOS)";
  member.parameters = 927'118;
  member.steps = 2000;
  member.samples = 256'000;
  member.best_step = 2000;
  if (!member.defect.empty()) member.warnings = {"forced ≠ greedy", "constant first token"};
  add_curve(member, rng);
  member.test = score(!member.defect.empty(), kProblems, "test");
  if (member.defect.empty()) member.census = score(false, 1'000'000, "census");
  add_ablation(member, rng);
  add_pruning(member, rng);
  add_specialisation(member, rng);
  member.pictures = {picture("all", false, false, rng), picture("2 carries", false, false, rng),
                     picture("374+814", true, !member.defect.empty(), rng),
                     picture("005+007", true, !member.defect.empty(), rng)};
  add_circuit(member, rng);
  add_snapshots(member, rng);
  return member;
}

Estimate share_estimate(const std::string& name, std::int64_t hits, std::int64_t seeds) {
  const double share = static_cast<double>(hits) / static_cast<double>(seeds);
  return {.name = name,
          .kind = EstimateKind::share,
          .value = share,
          .low = share / 2,
          .high = std::min(1.0, share / 2 + 0.5),
          .seeds = seeds,
          .hits = hits};
}

Population population_of(const std::string& recipe, std::int64_t seeds) {
  Population out;
  out.recipe = recipe;
  out.description = recipe == "tuned" ? "the default recipe" : "the recipe of reports A and B";
  for (std::int64_t i = 1; i <= seeds; ++i) out.seeds.push_back(static_cast<std::uint64_t>(i));
  out.headline = {share_estimate("all test answers right", recipe == "tuned" ? seeds : 0, seeds),
                  {.name = "greedy, median",
                   .kind = EstimateKind::median,
                   .value = recipe == "tuned" ? 1 : 0.396,
                   .low = 0.39,
                   .high = 1,
                   .seeds = seeds}};
  out.critical_module = {share_estimate("encoder.0.self", seeds - 1, seeds),
                         share_estimate("decoder.0.self", 1, seeds),
                         share_estimate("decoder.1.self", 0, seeds)};
  for (int rank = 0; rank < 24; ++rank) {
    const double drop = 0.4 * std::exp(-0.5 * rank);
    out.profile.push_back({.name = fmt::format("rank {}", rank + 1),
                           .kind = EstimateKind::mean,
                           .value = drop,
                           .low = 0.6 * drop,
                           .high = 1.4 * drop,
                           .seeds = seeds});
  }
  out.contrasts = {{.name = "encoder.0.self − rest",
                    .kind = EstimateKind::mean,
                    .value = 0.08,
                    .low = 0.01,
                    .high = 0.15,
                    .seeds = seeds},
                   {.name = "decoder.1.self − rest",
                    .kind = EstimateKind::mean,
                    .value = -0.02,
                    .low = -0.05,
                    .high = 0.01,
                    .seeds = seeds}};
  out.roles = {share_estimate("column", seeds, seeds), share_estimate("operator", 1, seeds)};
  out.pruning = {{.name = "heads that go for free",
                  .kind = EstimateKind::median,
                  .value = 14,
                  .low = 12,
                  .high = 15,
                  .seeds = seeds,
                  .hits = 0,
                  .unit = "heads"}};
  out.circuit = {{.name = "stream at a0, carry of the units",
                  .kind = EstimateKind::mean,
                  .value = 0.71,
                  .low = 0.5,
                  .high = 0.9,
                  .seeds = seeds}};
  out.matching = {
      .pairs_of_members = 3, .agreement = 0.42, .low = 0.2, .high = 0.6, .random = 0.1, .p = 0.004};
  return out;
}

Finding finding(const std::string& recipe, std::int64_t hits, std::int64_t seeds) {
  return {.recipe = recipe,
          .hits = hits,
          .seeds = seeds,
          .low = 0.1,
          .high = 0.9,
          .text = fmt::format("{} of {} members", hits, seeds)};
}

void add_claims(AdditionStudy& study, std::int64_t seeds) {
  study.claims = {{.id = "C1",
                   .report = "C",
                   .statement = "a decoder self head passes the carry from the ones to the tens",
                   .predicate = "the ones digit exists when the tens are emitted",
                   .rule = "by order",
                   .logical = true,
                   .verdict = Verdict::refuted,
                   .reason = "with the most significant digit first it does not exist yet",
                   .evidence = "circuit",
                   .findings = {}},
                  {.id = "A1",
                   .report = "A, B",
                   .statement = "the most critical heads are deep decoder self-attention",
                   .predicate = "rank 1 sits in decoder.1.self",
                   .rule = "holds: ≥ 90 % of members; refuted: ≤ 50 %",
                   .verdict = Verdict::refuted,
                   .reason = "too few members",
                   .evidence = "population",
                   .findings = {finding("tuned", 0, seeds), finding("reported", 1, seeds)}},
                  {.id = "D2",
                   .report = "D",
                   .statement = "sparse & <specialised> heads",
                   .predicate = "p | q",
                   .rule = "any",
                   .verdict = Verdict::undecided,
                   .reason = "wide intervals",
                   .evidence = "nowhere",
                   .findings = {finding("tuned", 1, seeds)}}};
  study.reproductions = {{.report = "A, B",
                          .quantity = "greedy accuracy",
                          .reported = "41.20 %",
                          .with_defect = "39.60 %",
                          .truth = "100 %",
                          .cause = "no BOS: sums below 1000"},
                         {.report = "C",
                          .quantity = "column alignment",
                          .reported = "7.44e-05",
                          .with_defect = "–",
                          .truth = "0.61",
                          .cause = "wrong axis"}};
}

}  // namespace

AdditionStudy study_fixture(int members) {
  AdditionStudy study;
  study.version = "0.1.0";
  study.isa = "avx2";
  study.preset = "quick";
  study.command = "./heddle study addition --out study";
  study.scale = {{.name = "problems", .value = 2000}, {.name = "donors", .value = 8}};
  study.config = "{\n  \"task\": {\"digits\": 3},\n  \"seed\": 1\n}";
  for (const std::string recipe : {"tuned", "reported"}) {
    for (int seed = 1; seed <= members; ++seed)
      study.members.push_back(member_of(recipe, static_cast<std::uint64_t>(seed)));
    study.populations.push_back(population_of(recipe, members));
  }
  add_claims(study, members);
  return study;
}

AdditionStudy bare_study() {
  const double none = std::numeric_limits<double>::quiet_NaN();
  AdditionStudy study;
  study.version = "0.1.0";
  MemberRecord& member = study.members.emplace_back();
  member.recipe = "tuned";
  member.seed = 7;
  CurveRow& row = member.curve.emplace_back();
  row.train_loss = row.validation_loss = none;
  member.test.loss = none;
  Effect& effect = member.ablation.heads.emplace_back();
  effect.what = "encoder.0.self.head.0";
  effect.mode = AblationMode::mean;
  effect.drop = effect.low = effect.high = effect.p = effect.p_holm = effect.margin_drop = none;
  AttentionPicture& picture = member.pictures.emplace_back();
  picture.name = "1+1";
  picture.source = {"1", "+", "1"};
  Population& population = study.populations.emplace_back();
  population.recipe = "tuned";
  Estimate& rank = population.profile.emplace_back();
  rank.name = "rank 1";
  rank.kind = EstimateKind::mean;
  rank.value = rank.low = rank.high = none;
  Claim& claim = study.claims.emplace_back();
  claim.id = "A1";
  claim.verdict = Verdict::undecided;
  return study;
}

}  // namespace heddle::testing
