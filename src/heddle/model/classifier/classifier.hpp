// The encoder classifier: tokens of a sequence to the logits of its classes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "heddle/base/index.hpp"
#include "heddle/config/config.hpp"
#include "heddle/model/model.hpp"
#include "heddle/nn/block.hpp"
#include "heddle/nn/embedding.hpp"
#include "heddle/nn/pooling.hpp"

namespace heddle {

class Classifier : public Model {
 public:
  Classifier(const ModelConfig& config, const TaskShape& shape);

  const WeightLayout& layout() const override { return blueprint_.weights; }
  const TapTable& taps() const override { return blueprint_.taps; }
  Index choices() const override { return classes_; }
  const ModelConfig& config() const { return config_; }

  void encode_questions(const Questions& list, Index first, Index count, const RowDraws& draws,
                        EncodedQuestions& out) const override;
  void complete_rows(const RowDraws& draws, EncodedQuestions& rows) const override;
  void answer(Run& run, const ModelInput& input, Activations& at, std::span<std::int32_t> said,
              float* logits) const override;

  // ── a chain: embed, layers, head ──
  int stages() const override { return static_cast<int>(stages_.size()); }
  const std::string& stage_name(int stage) const override { return at(stage).name; }
  int stage_of(TapId tap) const override;
  void run_stage(int stage, Run& run, const ModelInput& input, Activations& at) const override;

 private:
  struct Stage {
    std::string name;
    TapId end_tap = 0;  ///< one past the last tap of this stage
  };

  const Stage& at(int stage) const { return stages_[to_size(stage)]; }
  void add_stage(std::string name);
  Position make_position(const Builder& at, Index rows) const;
  BlockSizes block_sizes(std::int64_t layer) const;

  ModelConfig config_;
  Index classes_;
  Blueprint blueprint_;
  std::vector<Stage> stages_;
  std::optional<Embedding> embedding_;
  std::vector<Block> blocks_;
  std::optional<Norm> norm_;  // where final_norm says so
  std::optional<ClassifierHead> head_;
  TapId logits_ = -1;
};

}  // namespace heddle
