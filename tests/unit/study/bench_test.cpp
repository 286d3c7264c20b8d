// What a benchmark counts and compares; no test looks at a clock's figures.
#include <cmath>

#include <gtest/gtest.h>

#include "heddle/base/check.hpp"
#include "heddle/bench/duel.hpp"
#include "heddle/bench/libraries.hpp"
#include "heddle/bench/numbers.hpp"
#include "heddle/bench/suite.hpp"
#include "heddle/bench/work.hpp"
#include "heddle/bench/works.hpp"
#include "heddle/config/presets.hpp"
#include "heddle/kernels/work_count.hpp"
#include "heddle/model/member.hpp"
#include "heddle/task/addition/addition.hpp"

namespace heddle {
namespace {

TEST(BenchSpread, IsTheMedianWithItsExtremes) {
  const Spread odd = spread_of({3, 1, 2});
  EXPECT_EQ(odd.median, 2);
  EXPECT_EQ(odd.low, 1);
  EXPECT_EQ(odd.high, 3);
  EXPECT_EQ(spread_of({4, 1, 2, 3}).median, 2.5);
  EXPECT_THROW(spread_of({}), UsageError);
}

/// Turns with these rates, one after another.
Contestant scripted(std::string name, int threads, std::vector<double> rates) {
  return {std::move(name), threads,
          [rates = std::move(rates), next = std::size_t{0}]() mutable { return rates.at(next++); }};
}

TEST(BenchDuel, ComparesEachAtItsBestNumberOfThreadsRoundByRound) {
  const PeerDuel result =
      run_duel({.name = "work",
                .unit = "problems",
                .batch = 1,
                .rounds = 3,
                .ours = {scripted("us", 1, {10, 10, 10}), scripted("us", 2, {18, 20, 22})},
                .peers = {scripted("a", 1, {9, 10, 11}), scripted("a", 2, {8, 8, 8}),
                          scripted("b", 2, {40, 40, 40})}});
  ASSERT_EQ(result.ratios.size(), 2U);
  EXPECT_EQ(result.ratios[0].peer, "a");
  EXPECT_DOUBLE_EQ(result.ratios[0].ratio.median, 2);
  EXPECT_DOUBLE_EQ(result.ratios[1].ratio.median, 0.5);
  EXPECT_DOUBLE_EQ(result.ratios[1].ratio.low, 18.0 / 40);
  EXPECT_EQ(result.peers[1].rate.median, 8);
}

TEST(BenchDuel, TakesTurnsWithinARound) {
  std::string order;
  const auto turn = [&](char letter) { return [&order, letter] { return order += letter, 1.0; }; };
  run_duel({.name = "work",
            .unit = "problems",
            .rounds = 2,
            .ours = {{"us", 1, turn('u')}},
            .peers = {{"a", 1, turn('a')}, {"b", 1, turn('b')}}});
  EXPECT_EQ(order, "uabuab");
}

TEST(BenchWork, OnPaperIsWhatTheYardsticksSay) {
  const Member member = make_member(preset("default"));
  const double step = 3 * forward_operations(member.config.model, member.model->shape());
  EXPECT_NEAR(step, 33.4e6, 0.1e6);
  EXPECT_NEAR(3 * classifier_operations(sortedness_bench_config(16).model, 16), 77.1e6, 0.1e6);
}

/// What the kernels count while `call` runs.
double counted(const std::function<void()>& call) {
  const double before = kernels::counted_operations();
  call();
  return kernels::counted_operations() - before;
}

TEST(BenchWork, AForwardPassDoesWhatStandsOnPaper) {
  const Member member = make_member(preset("default"));
  const Addition task(member.config);
  constexpr Index kCount = 2;  // so few that no rows repeat
  const EncodedQuestions batch = encoded(member, task.validation(), 0, kCount);
  const double done = counted([&] {
    heddle::Run run(member.weights);
    member.model->forward(run, batch.all());
  });
  EXPECT_DOUBLE_EQ(done, kCount * forward_operations(member.config.model, member.model->shape()));
}

TEST(BenchWork, CountsOfAllThreadsAddUp) {
  Team team(3);
  const double done = counted([&] { team.run(6, [](int) { kernels::count_operations(2); }); });
  EXPECT_EQ(done, 12);
}

TEST(BenchWork, AblationsDoLessThanTheyWouldApart) {
  Team team(2);
  const OwnedWork ablation = ablate_addition(team);
  const double apart = ablation.work.operations * static_cast<double>(ablation.work.batch);
  const double done = counted(ablation.work.call);
  EXPECT_LT(done, 0.4 * apart);
  EXPECT_GT(done, 0.1 * apart);
}

TEST(BenchSuite, MeasuresTheRowsThatAreNamed) {
  const BenchReport report = run_benchmarks({.threads = 1,
                                             .seconds_per_row = 0.01,
                                             .only = "attention 7",
                                             .program = {},
                                             .measured = {}});
  ASSERT_EQ(report.rows.size(), 2U);
  EXPECT_EQ(report.rows[0].name, "attention 7 × 7");
  EXPECT_DOUBLE_EQ(report.rows[0].executed, report.rows[0].nominal);
  EXPECT_GT(report.rows[0].share_of_peak.median, 0);
  EXPECT_GT(report.machine.memory_one.median, 0);
  EXPECT_THROW(run_benchmarks({.threads = 1,
                               .seconds_per_row = 0.01,
                               .only = "nothing like it",
                               .program = {},
                               .measured = {}}),
               UsageError);
  const BenchReport none = run_benchmarks({.threads = 1,
                                           .seconds_per_row = 0.01,
                                           .only = "nothing like it",
                                           .duels_found = true,
                                           .program = {},
                                           .measured = {}});
  EXPECT_TRUE(none.rows.empty());
}

/// Largest difference of two matrices.
double difference(const Tensor& a, const Tensor& b) {
  double most = 0;
  for (Index i = 0; i < a.size(); ++i)
    most = std::max(most, std::abs(static_cast<double>(a.data<float>()[i] - b.data<float>()[i])));
  return most;
}

TEST(BenchLibraries, ComputeTheSameProducts) {
  std::vector<std::string> missing;
  const std::vector<ProductLibrary> libraries = find_product_libraries(missing);
  if (libraries.empty()) GTEST_SKIP() << "neither OpenBLAS nor oneDNN is here";
  BenchLayer l(21, 40, 24);
  l.forward({});
  l.input_gradient({});
  l.weight_gradient();
  for (const ProductLibrary& library : libraries) {
    Tensor y = bench_numbers(l.m, l.n), dx = bench_numbers(l.m, l.k), dw = bench_numbers(l.k, l.n);
    const float *x = l.x.data<float>(), *w = l.w.data<float>(), *dy = l.dy.data<float>();
    library.multiply({.m = l.m, .k = l.k, .n = l.n, .a = x, .b = w, .c = y.write<float>()});
    library.multiply({.m = l.m,
                      .k = l.n,
                      .n = l.k,
                      .a = dy,
                      .b = w,
                      .b_transposed = true,
                      .c = dx.write<float>()});
    library.multiply({.m = l.k,
                      .k = l.m,
                      .n = l.n,
                      .a = x,
                      .b = dy,
                      .a_transposed = true,
                      .c = dw.write<float>()});
    constexpr double kRounding = 1e-4;  // 40 terms below 1 each
    EXPECT_LT(difference(y, l.y), kRounding) << library.name;
    EXPECT_LT(difference(dx, l.dx), kRounding) << library.name;
    EXPECT_LT(difference(dw, l.dw), kRounding) << library.name;
  }
}

}  // namespace
}  // namespace heddle
