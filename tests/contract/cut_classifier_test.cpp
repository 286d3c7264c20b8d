// Heads cut out of classifiers, whatever their positions keep for each head: the smaller model says
// what the masked one says, and comes back from disk with the same bits.
#include <algorithm>

#include <gtest/gtest.h>

#include "heddle/lens/prune/fold.hpp"
#include "heddle/model/save_member.hpp"
#include "tests/support/questions.hpp"
#include "tests/support/tensors.hpp"
#include "tests/support/tiny_classifier.hpp"
#include "tests/support/tiny_model.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle::testing {
namespace {

struct Kind {
  PositionKind position = PositionKind::none;
  DirectionKind direction = DirectionKind::both;
  NormaliserKind normaliser = NormaliserKind::softmax;
};

class CutClassifier : public ::testing::TestWithParam<Kind> {
 protected:
  static Config settings() {
    Config config = tiny_sorter(GetParam().position, PoolingSetting::mean);
    config.model.heads = 4;
    config.model.direction = GetParam().direction;
    config.model.normaliser = GetParam().normaliser;
    return config;
  }
  static Member perturbed() {
    Member member = make_member(settings());
    perturb(member.weights);
    member.weights.pack();
    return member;
  }
  static Questions rows() {
    Questions all;
    for (const Sequence& values : some_sequences()) {
      const std::int32_t label = is_sorted(values) ? 1 : 0;
      all.add(values, std::span(&label, 1));
    }
    return all;
  }
  static Tensor logits(const Member& of, const EncodedQuestions& set,
                       std::span<const Variant> variants = {}) {
    Team team(1);
    Tensor seen;
    run_variants(of, set, variants, team,
                 [&](int, const ProblemBlock&, const Tensor& here) { seen = here; });
    return seen;
  }

  Member member = perturbed();
  EncodedQuestions set = encoded(member, rows());
  Team team{1};
  // The heads that are left keep their direction, slope and tables though their numbers change.
  std::vector<std::string> names{"encoder.0.self.head.0", "encoder.0.self.head.1",
                                 "encoder.1.self.head.0", "encoder.1.self.head.2",
                                 "encoder.1.self.head.3"};
  std::vector<HeadCut> gone = folded_cuts(member, names, set, team);
  Member smaller = cut_heads(member, gone);
};

TEST_P(CutClassifier, SaysWhatTheMaskedOneSays) {
  const std::array<Variant, 1> masked{mask_heads(member, gone)};
  const Tensor wanted = logits(member, set, masked);
  // Sums in another order pass 3 layers (the head of the classifier counts as one) of at most 8
  // products or norms of at most d_ff terms, which norms may enlarge 16 times.
  const double tolerance =
      16 * 3 * 8 * static_cast<double>(member.config.model.d_ff) * kUnit * largest(wanted);
  EXPECT_LE(largest_difference(logits(smaller, set), wanted), tolerance);
  EXPECT_GT(largest_difference(wanted, logits(member, set)), tolerance);
  EXPECT_EQ(heads_of(smaller).size(), 3U);
}

TEST_P(CutClassifier, SavedAndLoadedIsTheSame) {
  const TempFolder folder;
  save_member(folder / "run", smaller, {});
  const Member loaded = load_member(folder / "run");
  EXPECT_TRUE(loaded.config == smaller.config);
  EXPECT_TRUE(same_bits(loaded.weights.flat(), smaller.weights.flat()));
  EXPECT_TRUE(same_bits(logits(loaded, set), logits(smaller, set)));
}

std::string name_of_kind(const ::testing::TestParamInfo<Kind>& row) {
  std::string name = fmt::format("{}_{}_{}", field_text(row.param.position),
                                 field_text(row.param.direction), field_text(row.param.normaliser));
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(
    Positions, CutClassifier,
    ::testing::Values(Kind{.position = PositionKind::alibi},
                      Kind{.position = PositionKind::alibi, .direction = DirectionKind::split},
                      Kind{.position = PositionKind::t5}, Kind{.position = PositionKind::shaw},
                      Kind{.position = PositionKind::kerple}, Kind{.position = PositionKind::fire},
                      Kind{.position = PositionKind::rope, .direction = DirectionKind::split},
                      Kind{.position = PositionKind::learned, .normaliser = NormaliserKind::log_n},
                      Kind{.position = PositionKind::alibi,
                           .direction = DirectionKind::split,
                           .normaliser = NormaliserKind::log_n},
                      Kind{.position = PositionKind::fire,
                           .direction = DirectionKind::split,
                           .normaliser = NormaliserKind::entmax}),
    name_of_kind);

}  // namespace
}  // namespace heddle::testing
