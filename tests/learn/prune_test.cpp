// Pruning of adders that were trained here: a planted useless head goes first, every point of a
// curve is what the cut model scores, and smaller models train, stop and go on.
#include "heddle/lens/prune/prune.hpp"

#include <set>

#include <gtest/gtest.h>

#include "heddle/base/file.hpp"
#include "heddle/base/index.hpp"
#include "heddle/eval/score.hpp"
#include "heddle/lens/ablate/ablate.hpp"
#include "heddle/lens/prune/fold.hpp"
#include "heddle/record/tree.hpp"
#include "heddle/study/addition/smaller.hpp"
#include "heddle/task/addition/addition.hpp"
#include "heddle/task/addition/words.hpp"
#include "heddle/task/registry.hpp"
#include "heddle/train/loop.hpp"
#include "tests/support/questions.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle::testing {
namespace {

Config small_config() {
  Config config;
  config.task.digits = 1;
  config.task.carry_balance = 0;
  config.model.d_model = 32;
  config.model.d_ff = 64;
  config.model.encoder_layers = config.model.decoder_layers = 1;
  config.train.batch = 64;
  config.train.steps = 400;
  config.train.lr = 3e-3;
  config.train.warmup = 50;
  config.train.eval_every = 0;
  return config;
}

/// Problems that the training has met; with one digit there are no others that it could know.
std::vector<Problem> shown(const Config& config, Index step) {
  std::vector<Problem> problems;
  Addition(config).train_problems(step, problems);
  return problems;
}

Count greedy_of(const Member& member, std::span<const Problem> problems, Team& team) {
  const auto task = make_task(member.config);
  return score_questions(exam_setup(member, team), *task, "some", questions_of(problems)).greedy;
}

/// What chooses, what scores, what means come from.
PruneSets three_sets(const Config& config) {
  return {.choose = questions_of(shown(config, 1)),
          .score = questions_of(shown(config, 2)),
          .reference = questions_of(shown(config, 3))};
}

/// Where a weight of that name stands in the flat buffer.
float* weight_of(const Member& member, const std::string& path) {
  const auto& specs = member.weights.layout().specs();
  const auto found = std::ranges::find(specs, path, &WeightSpec::path);
  EXPECT_NE(found, specs.end()) << path;
  return member.weights.flat().write_shared<float>() + found->offset;
}

/// An adder that never had decoder.0.self.head.1 … 3, trained once for all tests below.
const Member& trained() {
  static const Member kMember = [] {
    const TempFolder folder;
    Config config = small_config();
    config.model.cut_heads =
        "encoder.0.self.head.1,decoder.0.self.head.0,decoder.0.self.head.1,decoder.0.self.head.2,"
        "decoder.0.self.head.3";
    Team team(2);
    train_run(config, folder.path(), team, {});
    return load_member(folder.path());
  }();
  return kMember;
}

/// The same adder with one head more, which reads and computes, but of which nothing is written:
/// its rows of w_o are zero.
Member with_useless_head() {
  const Member& from = trained();
  Config config = from.config;
  config.model.cut_heads =
      "decoder.0.self.head.0,decoder.0.self.head.1,decoder.0.self.head.2,decoder.0.self.head.3";
  Member member = make_member(config);
  const Index d = 32, width = 8, kept = 3;
  const auto& specs = from.weights.layout().specs();
  for (const WeightSpec& spec : specs) {
    const float* source = from.weights.flat().data<float>() + spec.offset;
    float* to = weight_of(member, spec.path);
    const std::string name = spec.path.substr(spec.path.rfind('.') + 1);
    const bool module = spec.path.starts_with("encoder.0.self.") && name != "b_o";
    if (!module) {
      std::copy_n(source, spec.shape.size(), to);
    } else if (name == "w_o") {  // heads 0, 2, 3 are rows of their own
      std::copy_n(source, width * d, to);
      std::fill_n(to + width * d, width * d, 0.0F);
      std::copy_n(source + width * d, 2 * width * d, to + 2 * width * d);
    } else {
      for (Index row = 0; row < spec.shape.size() / (kept * width); ++row) {
        const float* at = source + row * kept * width;
        std::copy_n(at, width, to + row * 4 * width);
        std::copy_n(at + width, 2 * width, to + (row * 4 + 2) * width);
      }
    }
  }
  member.weights.pack();
  return member;
}

/// One that puts out the same row whatever it reads, for which the bias makes up: z = b_v, and
/// b_o −= b_v · (its rows of w_o).
Member with_constant_head() {
  Member member = with_useless_head();
  const Index d = 32, width = 8, heads = 4;
  float *w_v = weight_of(member, "encoder.0.self.w_v"),
        *b_v = weight_of(member, "encoder.0.self.b_v");
  float *w_o = weight_of(member, "encoder.0.self.w_o"),
        *b_o = weight_of(member, "encoder.0.self.b_o");
  for (Index row = 0; row < d; ++row) std::fill_n(w_v + (row * heads + 1) * width, width, 0.0F);
  for (Index e = 0; e < width; ++e) {
    b_v[width + e] = 1;
    for (Index j = 0; j < d; ++j) {
      const float weight = 0.5F * static_cast<float>(j % 3 - 1);
      w_o[(width + e) * d + j] = weight;
      b_o[j] -= weight;
    }
  }
  member.weights.pack();
  return member;
}

double largest_logit(const Member& member, const EncodedQuestions& set) {
  double most = 0;
  Team team(1);
  run_variants(member, set, {}, team, [&](int, const ProblemBlock&, const Tensor& logits) {
    most = std::max(most, largest(logits));
  });
  return most;
}

/// Trains with heads that are not there, one attention having none at all.
TEST(Pruning, AModelWithFewerHeadsLearns) {
  Team team(2);
  EXPECT_EQ(heads_of(trained()).size(), 7U);
  const std::vector<Problem> problems = shown(trained().config, 399);
  EXPECT_EQ(greedy_of(trained(), problems, team), (Count{64, 64}));
}

TEST(Pruning, AUselessHeadGoesFirst) {
  const Member member = with_useless_head();
  Team team(2);
  const std::vector<Problem> score = shown(member.config, 2);
  EXPECT_EQ(greedy_of(member, score, team), greedy_of(trained(), score, team));
  for (const PruneOrder by : {PruneOrder::measured, PruneOrder::gradient}) {
    const HeadRemoval removal =
        remove_heads(member, three_sets(member.config), {.by = by, .keep = 7}, team);
    ASSERT_EQ(removal.cuts.size(), 1U);
    EXPECT_EQ(removal.cuts[0].head, "encoder.0.self.head.1") << name_of(by);
    const Member smaller = cut_heads(member, removal.cuts);
    EXPECT_TRUE(smaller.config == trained().config);
    EXPECT_TRUE(same_bits(smaller.weights.flat(), trained().weights.flat()));
  }
}

/// Its mean is all of it: folded into the bias, the adder is the same to rounding.
TEST(Pruning, AConstantHeadGoesFirst) {
  const Member member = with_constant_head();
  Team team(2);
  const HeadRemoval removal = remove_heads(member, three_sets(member.config), {.keep = 7}, team);
  ASSERT_EQ(removal.cuts.size(), 1U);
  EXPECT_EQ(removal.cuts[0].head, "encoder.0.self.head.1");
  for (const float number : removal.cuts[0].output) EXPECT_EQ(number, 1);
  const Member smaller = cut_heads(member, removal.cuts);
  // b_o lost eight products of ½ one by one, so it was never above 8: one rounding each.
  EXPECT_LE(largest_difference(smaller.weights.flat(), trained().weights.flat()), 8 * 8 * kUnit);
}

class Curves : public ::testing::Test {
 protected:
  static Pruning prune(int threads, const Member& member = trained()) {
    Team team(threads);
    const Config& config = member.config;
    const PruneSets sets = three_sets(config);
    const Ablation singles =
        ablate(member, {.scored = sets.score, .reference = sets.reference}, {.donors = 2}, team);
    return prune_curves(member, {.sets = sets, .options = {.random_repeats = 2}}, singles, team);
  }
};

TEST_F(Curves, GoDownToNothingHeadByHead) {
  const Pruning pruning = prune(2);
  ASSERT_EQ(pruning.curves.size(), 4U);
  std::set<std::string> orders;
  for (const PruneCurve& curve : pruning.curves) {
    ASSERT_EQ(curve.points.size(), 8U) << name_of(curve.by);
    std::set<std::string> gone;
    std::string order;
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
      EXPECT_EQ(curve.points[i].heads_left, 7 - static_cast<std::int64_t>(i));
      EXPECT_EQ(curve.points[i].scored.total, 64);
      EXPECT_LE(curve.points[i].low, curve.points[i].scored.share());
      EXPECT_GE(curve.points[i].high, curve.points[i].scored.share());
      if (i > 0) gone.insert(curve.points[i].cut);
      order += curve.points[i].cut + " ";
    }
    EXPECT_EQ(gone.size(), 7U);
    EXPECT_FALSE(gone.contains("encoder.0.self.head.1"));  // names of the whole model
    EXPECT_TRUE(gone.contains("encoder.0.self.head.3"));
    EXPECT_EQ(curve.points[0].scored, (Count{64, 64}));
    EXPECT_LT(curve.points[7].scored.correct, 16);
    if (curve.by == PruneOrder::random) orders.insert(order);
  }
  EXPECT_EQ(orders.size(), 2U);
}

/// Every point against a model cut here and decoded greedily; what is free against its definition.
TEST_F(Curves, SayWhatTheCutModelsScore) {
  Team team(2);
  const Config& config = trained().config;
  const std::vector<Problem> choose = shown(config, 1), score = shown(config, 2);
  for (const PruneOrder by : {PruneOrder::measured, PruneOrder::random}) {
    const HeadRemoval removal = remove_heads(trained(), three_sets(config), {.by = by}, team);
    std::int64_t free = 0;
    for (std::size_t i = 0; i <= removal.cuts.size(); ++i) {
      const Member cut = cut_heads(trained(), std::span(removal.cuts).first(i));
      const Count count = greedy_of(cut, score, team);
      EXPECT_EQ(removal.curve.points[i].scored, count) << i;
      EXPECT_EQ(removal.curve.points[i].chosen_on, greedy_of(cut, choose, team)) << i;
      // The intact member makes no mistake, so any mistake is a new one.
      if (i > 0 && count.correct == count.total && free == static_cast<std::int64_t>(i) - 1) ++free;
    }
    EXPECT_EQ(removal.curve.free_heads, free);
  }
}

/// By measured drop the head goes that leaves most right answers on the choosing problems.
TEST_F(Curves, MeasuredRemovalTakesTheLeastMissed) {
  Team team(2);
  const Config& config = trained().config;
  const std::vector<Problem> choose = shown(config, 1);
  const HeadRemoval removal = remove_heads(trained(), three_sets(config), {.keep = 3}, team);
  ASSERT_EQ(removal.cuts.size(), 4U);
  const Member before = cut_heads(trained(), std::span(removal.cuts).first(3));
  const EncodedQuestions set = rows_of(trained(), shown(config, 3));
  for (const Head& head : heads_of(before)) {
    const std::array<std::string, 1> name{head.name};
    const Member without = cut_heads(before, folded_cuts(before, name, set, team));
    EXPECT_LE(greedy_of(without, choose, team).correct, removal.curve.points[4].chosen_on.correct)
        << head.name;
  }
}

TEST_F(Curves, MaxDropStopsBeforeItIsExceeded) {
  Team team(2);
  const Config& config = trained().config;
  const PruneSets sets = three_sets(config);
  const HeadRemoval all = remove_heads(trained(), sets, {}, team);
  for (const double drop : {0.0, 0.05, 0.5}) {
    const HeadRemoval some = remove_heads(trained(), sets, {.max_drop = drop}, team);
    std::size_t wanted = 0;
    while (wanted + 1 < all.curve.points.size() &&
           64 - all.curve.points[wanted + 1].chosen_on.correct <=
               static_cast<std::int64_t>(64 * drop))
      ++wanted;
    EXPECT_EQ(some.cuts.size(), wanted) << drop;
    EXPECT_EQ(some.curve.points.back().heads_left, 7 - static_cast<std::int64_t>(wanted));
  }
}

TEST_F(Curves, CutsWhatIsFreeAndCountsAsTheReportsDid) {
  const Member member = with_constant_head();
  const Pruning pruning = prune(2, member);
  const PruneCurve& measured = pruning.curves[0];
  EXPECT_EQ(measured.by, PruneOrder::measured);
  EXPECT_GT(measured.free_heads, 0);
  ASSERT_EQ(pruning.cut.size(), to_size(measured.free_heads));
  for (std::size_t i = 0; i < pruning.cut.size(); ++i)
    EXPECT_EQ(pruning.cut[i], measured.points[i + 1].cut);
  // Sums in another order, and no more: 2 layers of at most 8 products or norms of at most d_ff
  // terms, which norms may enlarge 16 times.
  const EncodedQuestions set = rows_of(member, shown(member.config, 2));
  EXPECT_GT(pruning.logit_difference, 0);
  EXPECT_LT(pruning.logit_difference, 16 * 2 * 8 * 64 * kUnit * largest_logit(member, set));
  ASSERT_EQ(pruning.counts.size(), 2U);
  for (const PruneCounts& counts : pruning.counts) {
    EXPECT_EQ(counts.heads, 8);
    EXPECT_EQ(counts.heads - counts.within_1_point,
              static_cast<std::int64_t>(counts.must_retain.size()));
    // Zeros take the constant away, which costs answers; the mean leaves it.
    EXPECT_EQ(std::ranges::count(counts.must_retain, "encoder.0.self.head.1"),
              counts.mode == AblationMode::zero ? 1 : 0);
  }
  ASSERT_EQ(pruning.smaller.size(), 2U);
  EXPECT_EQ(pruning.smaller[1].name, "pruned");
  EXPECT_EQ(pruning.smaller[1].heads_left, 8 - measured.free_heads);
  EXPECT_EQ(pruning.smaller[1].scored, (Count{64, 64}));
}

TEST_F(Curves, DoNotDependOnThreads) {
  EXPECT_EQ(to_tree(prune(1)).dump(), to_tree(prune(3)).dump());
}

/// One in a hundred is one in a hundred, to the answer.
TEST(PruneCounts, AreTakenAtTheEdge) {
  Ablation singles;
  singles.baseline = {.correct = 900, .total = 1000};
  for (const std::int64_t left : {900, 892, 891, 890, 889, 850, 849, 901}) {
    Effect effect;
    effect.what = std::to_string(left);
    effect.mode = AblationMode::zero;
    effect.count = {.correct = left, .total = 1000};
    singles.heads.push_back(effect);
  }
  const PruneCounts counts = prune_counts(singles, AblationMode::zero);
  EXPECT_EQ(counts.heads, 8);
  EXPECT_EQ(counts.within_1_point, 5);             // lost at most 10 of 1000
  EXPECT_EQ(counts.within_relative_1_percent, 4);  // at most 9 of 900
  EXPECT_EQ(counts.within_5_points, 7);
  EXPECT_EQ(counts.must_retain, (std::vector<std::string>{"889", "850", "849"}));
  EXPECT_EQ(prune_counts(singles, AblationMode::mean).heads, 0);
}

/// A badly cut adder, to be taught again.
Member cut_adder(Team& team) {
  const std::array<std::string, 2> names{"decoder.0.cross.head.0", "encoder.0.self.head.0"};
  const EncodedQuestions reference = rows_of(trained(), shown(trained().config, 3));
  return cut_heads(trained(), folded_cuts(trained(), names, reference, team));
}

/// A rate of nothing: what comes out is what went in, so the start was taken.
TEST(Smaller, FineTuningStartsFromTheCutWeights) {
  const TempFolder folder;
  Team team(2);
  const Member cut = cut_adder(team);
  const std::vector<Problem> score = shown(cut.config, 2);
  const auto model = fine_tune(cut, {.steps = 3, .lr = 1e-30}, {folder / "run", score}, team);
  ASSERT_TRUE(model.has_value());
  EXPECT_TRUE(same_bits(load_member(folder / "run").weights.flat(), cut.weights.flat()));
  EXPECT_EQ(model->scored, greedy_of(cut, score, team));
  EXPECT_EQ(model->name, "fine-tuned");
  EXPECT_EQ(model->steps, 3);
  EXPECT_EQ(model->heads_left, 5);
  EXPECT_EQ(model->parameters, cut.model->layout().parameter_count());
}

TEST(Smaller, FineTuningHelpsAndSurvivesStops) {
  const TempFolder whole, parts;
  Team team(2);
  const Member cut = cut_adder(team);
  const std::vector<Problem> score = shown(cut.config, 2);
  const FineTuning how{.steps = 60, .lr = 1e-3};
  const auto model = fine_tune(cut, how, {whole.path(), score}, team);
  ASSERT_TRUE(model.has_value());
  EXPECT_GT(model->scored.correct, greedy_of(cut, score, team).correct);
  std::int64_t at = 0;
  int stops = 0;
  TrainObserver observer;
  observer.stepped = [&](const TrainProgress& progress) { at = progress.step; };
  observer.stop = [&] { return at % 7 == 0; };
  std::optional<SmallerModel> again;
  while (!(again = fine_tune(cut, how, {parts.path(), score}, team, observer))) ++stops;
  EXPECT_GE(stops, 7);
  for (const char* file : {"model.safetensors", "last.safetensors"})
    EXPECT_EQ(read_file(parts / file), read_file(whole / file)) << file;
  EXPECT_EQ(again->scored, model->scored);
  // Finished already: scored again, not trained again.
  EXPECT_EQ(fine_tune(cut, how, {parts.path(), score}, team)->scored, model->scored);
}

TEST(Smaller, AnotherStartIsRefused) {
  const TempFolder folder;
  Team team(2);
  Member cut = cut_adder(team);
  const std::vector<Problem> score = shown(cut.config, 2);
  const SmallerRun run{folder.path(), score};
  ASSERT_TRUE(fine_tune(cut, {.steps = 2}, run, team).has_value());
  const auto said = [&](auto&& body) { return message_of<UsageError>(body); };
  EXPECT_NE(said([&] { fine_tune(cut, {.steps = 3}, run, team); }).find("another configuration"),
            std::string::npos);
  EXPECT_NE(said([&] { from_scratch(cut.config, run, team); }).find("begun as a fine-tuning"),
            std::string::npos);
  *cut.weights.flat().write_shared<float>() += 1;
  EXPECT_NE(said([&] { fine_tune(cut, {.steps = 2}, run, team); }).find("from other weights"),
            std::string::npos);
}

TEST(Smaller, FromScratchIsTheControl) {
  const TempFolder folder;
  Team team(2);
  const Member cut = cut_adder(team);
  const std::vector<Problem> score = shown(cut.config, 2);
  const auto model = from_scratch(cut.config, {folder.path(), score}, team);
  ASSERT_TRUE(model.has_value());
  EXPECT_EQ(model->name, "from scratch");
  EXPECT_EQ(model->steps, 400);
  EXPECT_EQ(model->heads_left, 5);
  EXPECT_GE(model->scored.correct, 60);
}

}  // namespace
}  // namespace heddle::testing
