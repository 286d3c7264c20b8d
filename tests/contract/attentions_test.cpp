// What a model says of its taps and attentions (streams, kinds, roles) is what a pass shows.
#include <gtest/gtest.h>

#include "heddle/base/index.hpp"
#include "tests/support/tensors.hpp"
#include "tests/support/tiny_classifier.hpp"
#include "tests/support/tiny_model.hpp"

namespace heddle::testing {
namespace {

/// A member with a question, and an answer that is shorter than it.
struct Seen {
  Member member;
  std::vector<Tensor> values;  // by tap
  Index source = 0, target = 0;

  Index length(Stream stream) const { return stream == Stream::source ? source : target; }
};

Seen look_at(const Config& config, Index source, Index target) {
  Seen seen{.member = make_member(config), .values = {}, .source = source, .target = target};
  const TapTable& taps = seen.member.model->taps();
  seen.values.resize(taps.points().size());
  Edits edits(taps);
  for (std::size_t i = 0; i < taps.points().size(); ++i)
    if (!taps.points()[i].is_weight) edits.on(taps.points()[i].path, storing(seen.values[i]));
  const std::vector<std::int32_t> ids{1, 2, 3, 4, 5, 6, 7, 8};
  Pass run(seen.member.weights, &edits);
  seen.member.model->forward(run, {.source = {.ids = ids.data(), .batch = 1, .length = source},
                                   .target = {.ids = ids.data(), .batch = 1, .length = target}});
  return seen;
}

std::vector<Seen> all_families() {
  std::vector<Seen> all;
  all.push_back(look_at(tiny_config(), 3, 2));
  all.push_back(look_at(tiny_sorter(PositionKind::alibi, PoolingSetting::mean), 5, 0));
  all.push_back(look_at(tiny_sorter(PositionKind::causal, PoolingSetting::attention), 5, 0));
  return all;
}

TEST(Attentions, RowsOfATapAreTheTokensOfItsStream) {
  for (const Seen& seen : all_families()) {
    const TapTable& taps = seen.member.model->taps();
    for (std::size_t i = 0; i < taps.points().size(); ++i) {
      const TapPoint& point = taps.points()[i];
      for (std::size_t axis = 0; axis < point.axes.size(); ++axis)
        if (point.axes[axis] == Axis::position || point.axes[axis] == Axis::query) {
          EXPECT_EQ(seen.values[i].dim(static_cast<int>(axis)), seen.length(point.stream))
              << point.path;
        }
    }
  }
}

TEST(Attentions, QueriesAndKeysComeFromTheirStreams) {
  for (const Seen& seen : all_families())
    for (const HeadGroup& group : seen.member.model->taps().heads()) {
      const Tensor& pattern = seen.values[to_size(group.pattern)];
      EXPECT_EQ(pattern.dim(1), group.heads) << group.module;
      EXPECT_EQ(pattern.dim(2), seen.length(group.queries)) << group.module;
      EXPECT_EQ(pattern.dim(3), seen.length(group.keys)) << group.module;
      EXPECT_EQ(group.kind == AttentionKind::cross, group.queries != group.keys) << group.module;
    }
}

TEST(Attentions, ACausalOneNeverLooksAhead) {
  for (const Seen& seen : all_families())
    for (const HeadGroup& group : seen.member.model->taps().heads()) {
      const Tensor& pattern = seen.values[to_size(group.pattern)];
      if (pattern.dim(2) < 2) continue;
      const float ahead = pattern.data<float>()[1];  // the first query on the second key
      EXPECT_EQ(ahead == 0, group.kind == AttentionKind::causal_self) << group.module;
    }
}

TEST(Attentions, EveryModelHasItsTablesAStreamAndLogits) {
  for (const Seen& seen : all_families()) {
    const TapTable& taps = seen.member.model->taps();
    EXPECT_EQ(taps.with_role(TapRole::logits).size(), 1U);
    EXPECT_EQ(taps.with_role(TapRole::token_table).size(),
              taps.with_role(TapRole::embedding).size());
    EXPECT_FALSE(taps.with_role(TapRole::embedding).empty());
    EXPECT_FALSE(taps.with_role(TapRole::block_end).empty());
    for (const HeadGroup& group : taps.heads()) {
      EXPECT_EQ(taps[group.z].path, group.module + ".z");
      EXPECT_LE(group.first_tap, group.z);
    }
  }
}

}  // namespace
}  // namespace heddle::testing
