// See variants.hpp.
#include "heddle/lens/variants.hpp"

#include <algorithm>
#include <mutex>

#include "heddle/base/index.hpp"

namespace heddle {
namespace {

// Problems in one pass: what the variants share stays in the cache.
constexpr Index kVariantBlock = 125;

/// Calls body(block) for all blocks of a set, spread over the team.
template <class Body>
void each_variant_block(Index size, Team& team, const Body& body) {
  const Index blocks = (size + kVariantBlock - 1) / kVariantBlock;
  team.run(static_cast<int>(blocks), [&](int piece) {
    const Index first = piece * kVariantBlock;
    body(ProblemBlock{first, std::min(kVariantBlock, size - first)});
  });
}

/// Counts passes for one progress while many threads do them.
class PassCounter {
 public:
  PassCounter(Index total, const VariantProgress& progress) : total_(total), progress_(progress) {}

  void add_one() {
    if (!progress_) return;
    const std::scoped_lock lock(mutex_);
    progress_(++done_, total_);
  }

 private:
  Index done_ = 0, total_;
  const VariantProgress& progress_;
  std::mutex mutex_;
};

}  // namespace

void run_variants(const Member& member, const EncodedQuestions& set,
                  std::span<const Variant> variants, Team& team, const SeeLogits& see,
                  const VariantProgress& progress) {
  const Model& model = *member.model;
  const Index blocks = (set.size + kVariantBlock - 1) / kVariantBlock;
  PassCounter passes(blocks * (std::ssize(variants) + 1), progress);
  each_variant_block(set.size, team, [&](const ProblemBlock& block) {
    const ModelInput input = set.part(block.first, block.count);
    std::vector<Activations> before;  // each stage, of the intact member
    Activations at;
    Run intact(member.weights);
    for (int stage = 0; stage < model.stages(); ++stage) {
      before.push_back(at);
      model.run_stage(stage, intact, input, at);
    }
    see(-1, block, at.logits.value);
    passes.add_one();
    for (std::size_t i = 0; i < variants.size(); ++i) {
      Edits edits(model.taps());
      variants[i].hang(edits, block);
      Run run(member.weights, &edits);
      const int first = model.stage_of(variants[i].first_tap);
      at = before[to_size(first)];
      for (int stage = first; stage < model.stages(); ++stage)
        model.run_stage(stage, run, input, at);
      see(static_cast<int>(i), block, at.logits.value);
      passes.add_one();
    }
  });
}

void watch_taps(const Member& member, const EncodedQuestions& set, std::span<const TapId> taps,
                Team& team, const SeeTap& see, const VariantProgress& progress) {
  PassCounter passes((set.size + kVariantBlock - 1) / kVariantBlock, progress);
  each_variant_block(set.size, team, [&](const ProblemBlock& block) {
    Edits edits(member.model->taps());
    for (const TapId tap : taps)
      edits.on(member.model->taps()[tap].path, [&see, &block, tap](const TapSite&, const Var& x) {
        see(tap, block, x.value);
        return x;
      });
    Run run(member.weights, &edits);
    member.model->forward(run, set.part(block.first, block.count));
    passes.add_one();
  });
}

}  // namespace heddle
