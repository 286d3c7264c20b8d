// Heads cut for good: the smaller model says what the masked one says, loses what it should lose,
// and comes back from disk with the same bits.
#include "heddle/model/cut.hpp"

#include <gtest/gtest.h>

#include "heddle/base/file.hpp"
#include "heddle/base/index.hpp"
#include "heddle/eval/score.hpp"
#include "heddle/lens/prune/fold.hpp"
#include "heddle/model/save_member.hpp"
#include "heddle/task/addition/words.hpp"
#include "heddle/task/registry.hpp"
#include "tests/support/questions.hpp"
#include "tests/support/tensors.hpp"
#include "tests/support/tiny_model.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle::testing {
namespace {

using Names = std::vector<std::string>;

Config two_layers(NormKind norm) {
  Config config = tiny_config(norm, ActivationKind::gelu, PositionKind::learned);
  config.model.heads = 4;
  config.model.encoder_layers = config.model.decoder_layers = 2;
  return config;
}

Member perturbed(const Config& config) {
  Member member = make_member(config);
  perturb(member.weights);
  member.weights.pack();
  return member;
}

Tensor logits_of(const Member& member, const EncodedQuestions& set,
                 std::span<const Variant> variants = {}) {
  Team team(1);
  Tensor seen;  // of the last variant; one block holds all problems
  run_variants(member, set, variants, team,
               [&](int, const ProblemBlock&, const Tensor& logits) { seen = logits; });
  return seen;
}

/// One whole attention of each kind, single heads elsewhere.
const Names kCut{"encoder.0.self.head.2",  "encoder.1.self.head.0",  "encoder.1.self.head.1",
                 "encoder.1.self.head.2",  "encoder.1.self.head.3",  "decoder.0.self.head.0",
                 "decoder.0.self.head.1",  "decoder.0.self.head.2",  "decoder.0.self.head.3",
                 "decoder.0.cross.head.3", "decoder.1.cross.head.0", "decoder.1.cross.head.1",
                 "decoder.1.cross.head.2", "decoder.1.cross.head.3"};

class Cut : public ::testing::TestWithParam<NormKind> {
 protected:
  Member member = perturbed(two_layers(GetParam()));
  std::vector<Problem> problems = some_problems(1, 40);
  EncodedQuestions set = rows_of(member, problems);
  Team team{2};

  std::vector<HeadCut> cuts(const Member& of, const Names& names) {
    return folded_cuts(of, names, set, team);
  }
  /// As in the contract of taps: sums in another order pass 4 layers of at most 8 products or norms
  /// of at most d_ff terms, which norms may enlarge 16 times.
  double tolerance(const Tensor& logits) const {
    const double terms = static_cast<double>(member.config.model.d_ff);
    return 16 * 4 * 8 * terms * kUnit * largest(logits);
  }
};

TEST_P(Cut, NothingCutIsTheSameBits) {
  const Member same = cut_heads(member, {});
  EXPECT_TRUE(same.config == member.config);
  EXPECT_TRUE(same_bits(same.weights.flat(), member.weights.flat()));
  EXPECT_TRUE(same_bits(logits_of(same, set), logits_of(member, set)));
}

TEST_P(Cut, SaysWhatTheMaskedMemberSays) {
  for (const Names& names :
       {Names{"encoder.0.self.head.0"}, Names{"decoder.1.cross.head.3"}, kCut}) {
    const auto gone = cuts(member, names);
    ASSERT_EQ(gone.size(), names.size());
    const Member smaller = cut_heads(member, gone);
    const std::array<Variant, 1> masked{mask_heads(member, gone)};
    const Tensor wanted = logits_of(member, set, masked);
    EXPECT_LE(largest_difference(logits_of(smaller, set), wanted), tolerance(wanted));
    EXPECT_GT(largest_difference(wanted, logits_of(member, set)), tolerance(wanted));
    EXPECT_EQ(heads_of(smaller).size(), 24 - names.size());
  }
}

/// Zeros in place of a mean: nothing is folded.
TEST_P(Cut, WithoutAnOutputTheBiasKeepsItsBits) {
  const std::array<HeadCut, 1> gone{HeadCut{"encoder.0.self.head.1", {}}};
  const Member smaller = cut_heads(member, gone);
  const auto bias = [](const Member& of) {
    const auto& specs = of.weights.layout().specs();
    const auto at = std::ranges::find(specs, "encoder.0.self.b_o", &WeightSpec::path);
    return of.weights.value(static_cast<WeightId>(at - specs.begin()));
  };
  EXPECT_TRUE(same_bits(bias(smaller), bias(member)));
}

/// Cut one after the other, names in the numbering that the cuts before have left.
TEST_P(Cut, CanBeCutAgain) {
  const auto all = cuts(member, {"encoder.0.self.head.0", "encoder.0.self.head.2"});
  const Member once = cut_heads(member, all);
  const std::array<HeadCut, 1> first{all[0]};
  const std::array<HeadCut, 1> second{HeadCut{"encoder.0.self.head.1", all[1].output}};
  const Member twice = cut_heads(cut_heads(member, first), second);
  EXPECT_EQ(twice.config.model.cut_heads, "encoder.0.self.head.0,encoder.0.self.head.2");
  EXPECT_TRUE(twice.config == once.config);
  const Tensor wanted = logits_of(once, set);
  EXPECT_LE(largest_difference(logits_of(twice, set), wanted), tolerance(wanted));
}

TEST_P(Cut, LosesTheParametersOfItsHeads) {
  const Index d = 8, d_head = 2;
  const Index head = 3 * d * d_head + 2 * d_head + d_head * d;  // w_q w_k w_v, b_q b_v, w_o
  const Member one = cut_heads(member, cuts(member, {"decoder.1.self.head.3"}));
  const Index whole = member.model->layout().parameter_count();
  EXPECT_EQ(one.model->layout().parameter_count(), whole - head);
  const Member many = cut_heads(member, cuts(member, kCut));
  // Three attentions are empty. What a pre-norm in front of them says nobody reads: gain and bias
  // go.
  const Index norms = GetParam() == NormKind::pre ? 3 * 2 * d : 0;
  EXPECT_EQ(many.model->layout().parameter_count(), whole - std::ssize(kCut) * head - norms);
}

/// Greedy decoding with its cache agrees with the true prefix, problem by problem.
TEST_P(Cut, DecodesWhatItIsForcedTo) {
  const Member smaller = cut_heads(member, cuts(member, kCut));
  const auto task = make_task(smaller.config);
  const Score score =
      score_questions(exam_setup(smaller, team), *task, "some", questions_of(problems));
  EXPECT_EQ(score.disagreements, 0);
  EXPECT_EQ(score.greedy.total, set.size);
  Pass run(smaller.weights);
  Activations at;
  const ModelInput all = set.all();
  const Tokens &source = all.source, &target = all.target;
  smaller.seq2seq().encode(run, source, at);
  smaller.seq2seq().decode(run, source, target, at);
  const Tensor wanted = at.logits.value;
  DecodeCache cache = smaller.seq2seq().cache(set.size);
  std::vector<std::int32_t> column(to_size(set.size));
  for (Index t = 0; t < target.length; ++t) {
    for (Index b = 0; b < set.size; ++b) column[to_size(b)] = target.ids[b * target.length + t];
    Pass step(smaller.weights);
    Activations cached{.source = {}, .memory = at.memory, .target = {}, .logits = {}};
    smaller.seq2seq().decode(step, source,
                             {.ids = column.data(), .batch = set.size, .length = 1, .offset = t},
                             cached, &cache);
    for (Index b = 0; b < set.size; ++b)
      for (Index j = 0; j < wanted.dim(2); ++j)
        EXPECT_NEAR(cached.logits.value.data<float>()[b * wanted.dim(2) + j],
                    wanted.data<float>()[(b * target.length + t) * wanted.dim(2) + j],
                    tolerance(wanted));
  }
}

TEST_P(Cut, SavedAndLoadedIsTheSame) {
  const TempFolder folder;
  const Member smaller = cut_heads(member, cuts(member, kCut));
  const std::string run = folder / "a/run";
  save_member(run, smaller, {{"heddle.step", "7"}});
  const Member loaded = load_member(run);
  EXPECT_TRUE(loaded.config == smaller.config);
  EXPECT_TRUE(same_bits(loaded.weights.flat(), smaller.weights.flat()));
  EXPECT_TRUE(same_bits(logits_of(loaded, set), logits_of(smaller, set)));
  save_member(run + "/", smaller, {{"heddle.step", "7"}});  // the same again is no offence
  const std::string bytes = read_file(run + "/model.safetensors");
  EXPECT_NE(
      message_of<UsageError>([&] { save_member(run, member, {}); }).find("another configuration"),
      std::string::npos);
  EXPECT_EQ(read_file(run + "/model.safetensors"), bytes);
}

TEST_P(Cut, AFolderOfSomethingElseIsRefused) {
  const TempFolder folder;
  write_file(folder / "notes.txt", std::string_view("mine"));
  EXPECT_NE(message_of<UsageError>([&] {
              save_member(folder.path(), member, {});
            }).find("holds something that is no run"),
            std::string::npos);
  EXPECT_EQ(folder.names(), Names{"notes.txt"});
  const std::string run = folder / "trained";
  save_member(run, member, {});
  write_file(run + "/training_log.json", std::string_view("{}"));
  EXPECT_NE(message_of<UsageError>([&] { save_member(run, member, {}); }).find("holds a training"),
            std::string::npos);
  EXPECT_EQ(folder.names(), (Names{"notes.txt", "trained"}));
}

TEST_P(Cut, WrongNamesAreRefused) {
  const auto refusal = [&](const Names& names) {
    std::vector<HeadCut> gone;
    for (const std::string& name : names) gone.push_back({name, {}});
    return message_of<UsageError>([&] { cut_heads(member, gone); });
  };
  EXPECT_EQ(refusal({"encoder.0.self.head.4"}),
            "'encoder.0.self.head.4' is no head of this model (did you mean "
            "'encoder.0.self.head.0'?)");
  EXPECT_EQ(refusal({"encoder.0.self.head.1", "encoder.0.self.head.1"}),
            "encoder.0.self.head.1 is to be cut twice");
  const std::array<HeadCut, 1> narrow{HeadCut{"encoder.0.self.head.1", {1.0F}}};
  EXPECT_THROW(cut_heads(member, narrow), ShapeError);
}

INSTANTIATE_TEST_SUITE_P(Norms, Cut, ::testing::Values(NormKind::pre, NormKind::post),
                         [](const auto& row) {
                           return row.param == NormKind::pre ? "Pre" : "Post";
                         });

}  // namespace
}  // namespace heddle::testing
