// Gradient importance against the definition: the slope of the loss along a factor on a head's
// output, by central differences in double precision.
#include "heddle/lens/prune/importance.hpp"

#include <gtest/gtest.h>

#include "heddle/base/index.hpp"
#include "heddle/ops/arithmetic.hpp"
#include "heddle/ops/loss.hpp"
#include "tests/support/questions.hpp"
#include "tests/support/tensors.hpp"
#include "tests/support/tiny_model.hpp"

namespace heddle::testing {
namespace {

Member perturbed(const Config& config) {
  Member member = make_member(config);
  perturb(member.weights);
  member.weights.pack();
  return member;
}

/// −ln P(answer) of one problem when the head's z is multiplied by `factor`.
double loss_with(const Member& member, const Weights& weights, const EncodedQuestions& set,
                 Index problem, const Head& head, double factor) {
  Edits edits(member.model->taps());
  edits.on(head.name, [&](const TapSite& site, const Var& x) {
    const int axis = site.axis(Axis::head);
    return scale_slices(x, axis, std::vector<double>(to_size(x.value.dim(axis)), factor));
  });
  Pass run(weights, &edits);
  const Var logits = member.model->forward(run, set.part(problem, 1));
  return *cross_entropy(logits, set.targets(problem), 1.0).value.data<double>();
}

class Importance : public ::testing::TestWithParam<NormKind> {};

TEST_P(Importance, IsTheSlopeAlongTheHeadsOutput) {
  Config config = tiny_config(GetParam(), ActivationKind::gelu, PositionKind::learned);
  config.model.decoder_layers = 2;
  config.model.cut_heads = "decoder.0.cross.head.0";  // and a head that is not there
  const Member member = perturbed(config);
  const Weights exact(member.model->layout(), converted(member.weights.flat(), DType::f64));
  const EncodedQuestions set = rows_of(member, some_problems(1, 12));
  Team team(2);
  const std::vector<double> importance = head_importance(member, set, team);
  const std::vector<Head> heads = heads_of(member);
  ASSERT_EQ(importance.size(), heads.size());
  ASSERT_EQ(heads.size(), 9U);
  constexpr double kStep = 1e-4;
  for (std::size_t h = 0; h < heads.size(); ++h) {
    double sum = 0;
    for (Index i = 0; i < set.size; ++i)
      sum += std::abs(loss_with(member, exact, set, i, heads[h], 1 + kStep) -
                      loss_with(member, exact, set, i, heads[h], 1 - kStep)) /
             (2 * kStep);
    const double wanted = sum / static_cast<double>(set.size);
    // Float against double: each of 3 layers has at most 8 products or norms of at most d_ff terms,
    // forward and backward; norms may enlarge the error 16 times. The loss is about ln 14 a token.
    const double tolerance = 16 * 3 * 8 * 2 * 12 * kUnit * 3;
    EXPECT_NEAR(importance[h], wanted, tolerance) << heads[h].name;
    EXPECT_GT(wanted, 2 * tolerance) << heads[h].name;
  }
}

INSTANTIATE_TEST_SUITE_P(Norms, Importance, ::testing::Values(NormKind::pre, NormKind::post),
                         [](const auto& row) {
                           return row.param == NormKind::pre ? "Pre" : "Post";
                         });

/// Many blocks, any number of threads: the same bits.
TEST(ImportanceOf, DoesNotDependOnThreads) {
  const Member member = perturbed(tiny_config());
  const EncodedQuestions set = rows_of(member, some_problems(1, 700));
  Team alone(1), many(3);
  EXPECT_EQ(head_importance(member, set, alone), head_importance(member, set, many));
}

TEST(ImportanceOf, WithoutHeadsThereIsNothingToSay) {
  Config config = tiny_config();
  config.model.cut_heads =
      "encoder.0.self.head.0,encoder.0.self.head.1,decoder.0.self.head.0,decoder.0.self.head.1,"
      "decoder.0.cross.head.0,decoder.0.cross.head.1";
  const Member member = perturbed(config);
  Team team(1);
  EXPECT_TRUE(head_importance(member, rows_of(member, some_problems(1, 5)), team).empty());
}

}  // namespace
}  // namespace heddle::testing
