// Variants that share stages answer exactly as a whole pass with the same edits, and as greedy
// decoding would.
#include <gtest/gtest.h>

#include "heddle/base/index.hpp"
#include "heddle/lens/ablate/ablate.hpp"
#include "heddle/lens/watch.hpp"
#include "tests/support/questions.hpp"
#include "tests/support/tensors.hpp"
#include "tests/support/tiny_model.hpp"

namespace heddle::testing {
namespace {

Config two_digits(NormKind norm = NormKind::pre) {
  Config config = tiny_config(norm, ActivationKind::relu, PositionKind::learned);
  config.task.digits = 2;
  config.model.encoder_layers = config.model.decoder_layers = 2;
  return config;
}

Member perturbed(const Config& config) {
  Member member = make_member(config);
  perturb(member.weights);
  member.weights.pack();
  return member;
}

TEST(Variants, AnswerAsAWholePassWithTheSameEdits) {
  for (const NormKind norm : {NormKind::pre, NormKind::post}) {
    const Member member = perturbed(two_digits(norm));
    const std::vector<Problem> problems = some_problems(2, 150);  // more than one block
    const EncodedQuestions set = rows_of(member, problems);
    Team team(2);
    std::vector<Variant> variants;
    const std::vector<Head> heads = heads_of(member);
    ASSERT_EQ(heads.size(), 12U);
    for (const Head& head : heads) variants.push_back(replace_heads({head}, zero_fill()));
    variants.push_back(replace_heads({heads[9], heads[2]}, zero_fill()));
    std::vector<std::vector<Tensor>> seen(variants.size() + 1, std::vector<Tensor>(2));
    run_variants(member, set, variants, team,
                 [&](int variant, const ProblemBlock& block, const Tensor& logits) {
                   seen[to_size(variant + 1)][block.first == 0 ? 0 : 1] = logits;
                 });
    for (std::size_t v = 0; v <= variants.size(); ++v) {
      Edits edits(member.model->taps());
      const ProblemBlock whole{0, set.size};
      if (v > 0) variants[v - 1].hang(edits, whole);
      Pass run(member.weights, v > 0 ? &edits : nullptr);
      Activations at;
      member.model->forward(run, set.all(), at);
      const Index split = seen[v][0].dim(0);
      const Shape first{split, seen[v][0].dim(1), seen[v][0].dim(2)};
      EXPECT_TRUE(same_bits(at.logits.value.window(0, first), seen[v][0])) << v;
      EXPECT_TRUE(same_bits(at.logits.value.window(first.size(), seen[v][1].shape()), seen[v][1]));
    }
  }
}

/// Greedy answers of a member under edits.
std::vector<std::uint8_t> decoded_right(const Member& member, const EncodedQuestions& set,
                                        const Edits& edits) {
  Pass run(member.weights, &edits);
  Activations at;
  const Index length = set.positions();
  std::vector<std::int32_t> tokens(to_size(set.size * length));
  member.model->answer(run, set.all(), at, tokens);
  std::vector<std::uint8_t> right;
  for (Index i = 0; i < set.size; ++i) {
    const auto said = std::span(tokens).subspan(to_size(i * length), to_size(length));
    right.push_back(set.right(i, said) ? 1 : 0);
  }
  return right;
}

/// A model that always says "00" and EOS: right for some problems, so that both verdicts occur.
void prefer_zero(const Member& member) {
  const auto& specs = member.weights.layout().specs();
  for (const WeightSpec& spec : specs)
    if (spec.path == "unembed.b") member.weights.flat().write_shared<float>()[spec.offset] += 0.5F;
}

TEST(Variants, OneForcedPassSaysWhatGreedyDecodingWouldGetRight) {
  for (const BosKind bos : {BosKind::token, BosKind::none}) {
    Config config = tiny_config();
    config.task.bos = bos;
    Member member = perturbed(config);
    prefer_zero(member);
    member.weights.pack();
    std::vector<Problem> problems;
    for (std::uint64_t a = 0; a < 10; ++a)
      for (std::uint64_t b = 0; b < 10; ++b) problems.push_back(make_problem(a, b, 1));
    const EncodedQuestions set = rows_of(member, problems);
    Team team(1);
    std::vector<Variant> variants;
    for (const Head& head : heads_of(member))
      variants.push_back(replace_heads({head}, zero_fill()));
    const auto verdicts = judge_variants(member, set, variants, team);
    std::int64_t right = 0;
    for (std::size_t v = 0; v < variants.size(); ++v) {
      Edits edits(member.model->taps());
      variants[v].hang(edits, {0, set.size});
      EXPECT_EQ(verdicts[v + 1].right, decoded_right(member, set, edits)) << v;
      right += verdicts[v + 1].count().correct;
    }
    RecordProperty("right", static_cast<int>(right));
  }
}

TEST(Variants, HaveTheSameBitsForAnyTeam) {
  const Member member = perturbed(two_digits());
  const std::vector<Problem> problems = some_problems(2, 300);
  const std::span<const Problem> all(problems);
  const AblationSets sets{.scored = questions_of(all.first(200)),
                          .reference = questions_of(all.subspan(200))};
  AblationOptions options;
  options.donors = 2;
  options.pairs = options.modules = options.leave_one_in = true;
  std::vector<std::vector<double>> margins;
  for (const int size : {1, 2, 3}) {
    Team team(size);
    const Ablation ablation = ablate(member, sets, options, team);
    std::vector<double>& list = margins.emplace_back();
    for (const Effect& effect : ablation.heads) list.push_back(effect.margin_drop);
    for (const PairEffect& pair : ablation.pairs) list.push_back(pair.drop);
    EXPECT_EQ(ablation.heads.size(), 36U);
    EXPECT_EQ(ablation.pairs.size(), 66U);
    EXPECT_EQ(ablation.modules.size(), 6U);
  }
  EXPECT_EQ(margins[0], margins[1]);
  EXPECT_EQ(margins[0], margins[2]);
}

TEST(Variants, ADonorThatIsTheProblemItselfChangesNothing) {
  const Member member = perturbed(two_digits());
  const std::vector<Problem> problems = some_problems(2, 40);
  const EncodedQuestions set = rows_of(member, problems);
  Team team(2);
  const HeadOutputs outputs(member, set, team);
  std::vector<Index> self(problems.size()), next(problems.size());
  for (std::size_t i = 0; i < self.size(); ++i) {
    self[i] = static_cast<Index>(i);
    next[i] = static_cast<Index>((i + 1) % self.size());
  }
  for (const Head& head : heads_of(member)) {
    const std::vector<Variant> variants{replace_heads({head}, donor_fill(outputs, self)),
                                        replace_heads({head}, donor_fill(outputs, next))};
    const auto verdicts = judge_variants(member, set, variants, team);
    EXPECT_EQ(verdicts[0].margins, verdicts[1].margins) << head.name;
    EXPECT_NE(verdicts[0].margins, verdicts[2].margins) << head.name;
  }
}

TEST(Variants, MeansAreTakenPositionByPosition) {
  const Member member = perturbed(two_digits());
  const std::vector<Problem> problems = some_problems(2, 7);
  const EncodedQuestions set = rows_of(member, problems);
  Team team(1);
  const HeadOutputs outputs(member, set, team);
  const Head head = heads_of(member)[5];
  for (Index position = 0; position < set.target_length; ++position) {
    double sum = 0;
    for (Index i = 0; i < set.size; ++i)
      sum += static_cast<double>(outputs.at(head, i, position)[1]);
    EXPECT_NEAR(outputs.mean(head, position)[1], sum / 7, 1e-6);
  }
}

}  // namespace
}  // namespace heddle::testing
