// The encoder-decoder transformer, as a chain of stages that can be entered anywhere.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "heddle/base/index.hpp"
#include "heddle/config/config.hpp"
#include "heddle/model/model.hpp"
#include "heddle/nn/block.hpp"
#include "heddle/nn/embedding.hpp"

namespace heddle {

/// What the task's shape comes to.
struct SequenceSizes {
  Index vocabulary = 0, source_length = 0, target_length = 0;
  std::vector<DigitSlot> source_slots{}, target_slots{};  ///< for positions that count digits
};

/// Keys and values of every decoder layer, for decoding one position at a time.
struct DecodeCache {
  std::vector<LayerCache> layers;
};

class Seq2Seq : public Model {
 public:
  Seq2Seq(const ModelConfig& config, const TaskShape& shape);

  const WeightLayout& layout() const override { return blueprint_.weights; }
  const TapTable& taps() const override { return blueprint_.taps; }
  Index choices() const override { return sizes_.vocabulary; }
  const SequenceSizes& sizes() const { return sizes_; }

  /// Source tokens → memory.
  void encode(Run& run, const Tokens& source, Activations& at) const;
  /// Target tokens and memory → logits. With a cache, `target` is the next position(s) alone.
  void decode(Run& run, const Tokens& source, const Tokens& target, Activations& at,
              DecodeCache* cache = nullptr) const;
  /// An empty cache for `batch` sequences.
  DecodeCache cache(Index batch) const;

  void encode_questions(const Questions& list, Index first, Index count, const RowDraws& draws,
                        EncodedQuestions& out) const override;
  void complete_rows(const RowDraws& draws, EncodedQuestions& rows) const override;
  void answer(Run& run, const ModelInput& input, Activations& at, std::span<std::int32_t> said,
              float* logits) const override;

  // ── the same as a chain: embed source, encoder layers, memory, embed target, decoder layers,
  // head ──
  int stages() const override { return static_cast<int>(stages_.size()); }
  const std::string& stage_name(int stage) const override { return at(stage).name; }
  int stage_of(TapId tap) const override;
  void run_stage(int stage, Run& run, const ModelInput& input, Activations& at) const override {
    run_stage(stage, run, input, at, nullptr);
  }

 private:
  enum class StageKind : std::uint8_t { embed_source, encode, memory, embed_target, decode, head };
  struct Stage {
    StageKind kind;
    std::size_t layer = 0;
    std::string name;
    TapId end_tap = 0;  ///< one past the last tap of this stage
  };

  void run_stage(int stage, Run& run, const ModelInput& input, Activations& at,
                 DecodeCache* cache) const;
  const Stage& at(int stage) const { return stages_[to_size(stage)]; }
  void add_stage(StageKind kind, std::size_t layer, std::string name);
  Position make_position(const Builder& at, bool target) const;
  BlockSizes block_sizes(bool decoder, std::size_t layer) const;

  ModelConfig config_;
  SequenceSizes sizes_;
  Blueprint blueprint_;
  std::vector<Stage> stages_;
  std::optional<Embedding> source_embedding_, target_embedding_;
  std::vector<Block> encoder_, decoder_;
  std::optional<Norm> encoder_norm_, decoder_norm_;  // where final_norm says so
  WeightId unembed_w_ = -1, unembed_b_ = -1;
  TapId logits_ = -1;
};

}  // namespace heddle
