// Models of PyTorch's own modules, imported: the same logits, and without a head the same logits as
// PyTorch's without it.
//
// Tolerances are those of model/import/reference.hpp: depth · u of the largest logit, u = 2⁻²⁴ in
// float and 2⁻⁵³ in double.
#include <gtest/gtest.h>

#include "heddle/base/index.hpp"
#include "heddle/lens/ablate/ablate.hpp"
#include "tests/support/golden_import.hpp"
#include "tests/support/questions.hpp"
#include "tests/support/tensors.hpp"

namespace heddle::testing {
namespace {

class ImportedModel : public ::testing::TestWithParam<std::string> {
 protected:
  /// Our logits against a tensor of the "more" file.
  Comparison compare(const std::string& theirs, DType dtype, const std::string& masked_head) const {
    ImportedLogits ours = imported_logits(golden, dtype, masked_head);
    if (!theirs.empty()) {
      const Tensor* found = golden.more.find(theirs);
      check(found != nullptr, "no golden '{}'", theirs);
      ours.reference.logits = converted(*found, DType::f64);
      if (dtype == DType::f64) ours.reference.unit = kUnit64;
    }
    return compare_logits(ours.logits, ours.reference, golden.map.config, ours.ids);
  }
  static void expect_equal(const Comparison& result) {
    EXPECT_LE(result.largest_difference, result.tolerance());
    EXPECT_GT(result.largest_logit, 0.1);
    RecordProperty("difference", fmt::format("{:.1e}", result.largest_difference));
    RecordProperty("tolerance", fmt::format("{:.1e}", result.tolerance()));
  }

  const GoldenImport golden{GetParam()};
};

TEST_P(ImportedModel, FloatFollowsPyTorchsDump) {
  const Comparison result = compare("", DType::f32, "");
  expect_equal(result);
  EXPECT_LT(result.tolerance(), 1e-3 * result.largest_logit) << "that would hide mistakes";
}

TEST_P(ImportedModel, DoubleEqualsPyTorch) {
  expect_equal(compare("logits64", DType::f64, ""));
}

TEST_P(ImportedModel, WithoutAHeadItIsPyTorchsWithoutIt) {
  expect_equal(compare("masked", DType::f32, golden.head()));
  expect_equal(compare("masked64", DType::f64, golden.head()));
  // The head matters, and no other one is mistaken for it.
  const Comparison intact = compare("masked64", DType::f64, "");
  EXPECT_GT(intact.largest_difference, 100 * compare("", DType::f32, "").tolerance());
}

INSTANTIATE_TEST_SUITE_P(PyTorch, ImportedModel,
                         ::testing::Values("adder", "before", "sorter", "sorter_single"),
                         [](const auto& row) { return row.param; });

/// The problems that the adder's dump asks, from what its encoder reads.
std::vector<Problem> dumped_problems(const Reference& reference, int digits) {
  std::vector<Problem> problems;
  for (Index row = 0; row < reference.rows; ++row) {
    std::uint64_t operands[2] = {0, 0};
    for (Index i = 0; i < reference.source_length; ++i) {
      const std::int32_t token = reference.source[to_size(row * reference.source_length + i)];
      if (token == kPlus) continue;
      auto& operand = operands[i > digits ? 1 : 0];
      operand = 10 * operand + static_cast<std::uint64_t>(token);
    }
    problems.push_back(make_problem(operands[0], operands[1], digits));
  }
  return problems;
}

/// Which rows PyTorch answers right, given the true prefix.
std::vector<std::uint8_t> right_rows(const Tensor& logits, const TokenIds& ids,
                                     const EncodedQuestions& batch) {
  std::vector<std::uint8_t> right;
  const Tensor all = converted(logits, DType::f64);
  const Index vocabulary = all.dim(2), length = all.dim(1);
  for (Index row = 0; row < all.dim(0); ++row) {
    bool whole = true;
    for (Index at = 0; at < length; ++at) {
      const double* first = all.data<double>() + (row * length + at) * vocabulary;
      const Index said = std::max_element(first, first + vocabulary) - first;
      const auto wanted = batch.wanted[to_size(row * length + at)];
      whole = whole && our_id(ids.said, said, vocabulary) == std::optional<Index>(wanted);
    }
    right.push_back(whole ? 1 : 0);
  }
  return right;
}

/// The trained one through our own ablation: the same problems right and wrong as PyTorch with the
/// head masked.
TEST(ImportedAdder, OurAblationIsPyTorchs) {
  const GoldenImport golden("adder");
  const Member member = imported_member(golden);
  const ImportedLogits ours = imported_logits(golden, DType::f32);
  const EncodedQuestions set = rows_of(
      member, dumped_problems(ours.reference, static_cast<int>(golden.map.config.task.digits)));
  EXPECT_EQ(set.source, ours.reference.source);
  EXPECT_EQ(set.target_in, ours.reference.target);

  std::vector<Head> wanted;
  for (const Head& head : heads_of(member))
    if (head.name == golden.head()) wanted.push_back(head);
  ASSERT_EQ(wanted.size(), 1U);
  Team team(2);
  const std::vector<Variant> variants{replace_heads(wanted, zero_fill())};
  const auto verdicts = judge_variants(member, set, variants, team);
  const auto intact = right_rows(ours.reference.logits, ours.ids, set);
  const auto masked = right_rows(*golden.more.find("masked"), ours.ids, set);
  EXPECT_EQ(verdicts[0].right, intact);
  EXPECT_EQ(verdicts[1].right, masked);
  const auto share = [](const std::vector<std::uint8_t>& right) {
    return static_cast<double>(std::ranges::count(right, 1)) / static_cast<double>(right.size());
  };
  EXPECT_GT(share(intact), 0.8) << "it was trained";
  EXPECT_LT(share(masked), share(intact) - 0.1) << "the head matters";

  Tensor without;
  run_variants(member, set, variants, team,
               [&](int variant, const ProblemBlock& block, const Tensor& logits) {
                 if (variant == 0 && block.first == 0) without = logits;
               });
  Reference reference = ours.reference;
  const Tensor& theirs = *golden.more.find("masked");
  reference.logits =
      converted(theirs.window(0, {without.dim(0), theirs.dim(1), theirs.dim(2)}), DType::f64);
  const Comparison result = compare_logits(without, reference, golden.map.config, ours.ids);
  EXPECT_LE(result.largest_difference, result.tolerance());
}

}  // namespace
}  // namespace heddle::testing
