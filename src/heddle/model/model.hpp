// What the lenses know of any model: its weights, its taps, and a chain of stages that can be
// entered anywhere.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "heddle/nn/lookup.hpp"
#include "heddle/nn/run.hpp"
#include "heddle/nn/tokens.hpp"
#include "heddle/task/shape.hpp"

namespace heddle {

/// One batch as a model reads it. Everything must outlive the backward pass.
struct ModelInput {
  Tokens source;                         ///< what the encoder reads
  Tokens target{};                       ///< what the decoder reads; a classifier has none
  const std::uint8_t* pooled = nullptr;  ///< classifier, [batch, length]: 1 is pooled; null: all
  Index summary = 0;                     ///< classifier: where the token of pooling cls stands
};

/// What flows from stage to stage. A stage reads what earlier ones wrote, so a pass can start in
/// the middle with the activations of another pass.
struct Activations {
  Var source;  ///< the encoder's residual stream [batch, source position, d_model]
  Var memory;  ///< what cross-attention reads
  Var target;  ///< the decoder's residual stream [batch, target position, d_model]
  Var logits;  ///< [batch, target position, vocabulary], or [batch, classes]
  Lookup source_lookup{}, target_lookup{};  ///< of the embeddings that the streams begin with
};

struct EncodedQuestions;
class Questions;

enum class Purpose : std::uint8_t { training, evaluation };

/// What a row draws for itself (places, where counting digits begins) depends on the seed, what it
/// is for and its number alone: row r of a block has number first + r.
struct RowDraws {
  std::uint64_t seed = 0;
  Purpose purpose = Purpose::evaluation;
  std::uint64_t first = 0;
};

class Model {
 public:
  explicit Model(TaskShape shape) : shape_(std::move(shape)) {}
  virtual ~Model() = default;
  Model(const Model&) = delete;  // weights point at its blueprint
  Model& operator=(const Model&) = delete;

  /// The task that it was built for.
  const TaskShape& shape() const { return shape_; }
  virtual const WeightLayout& layout() const = 0;
  virtual const TapTable& taps() const = 0;
  /// Logits of one answer: tokens of the vocabulary, or classes.
  virtual Index choices() const = 0;

  virtual int stages() const = 0;
  virtual const std::string& stage_name(int stage) const = 0;
  /// The first stage that an edit at this tap can change.
  virtual int stage_of(TapId tap) const = 0;
  virtual void run_stage(int stage, Run& run, const ModelInput& input, Activations& at) const = 0;

  /// All stages, one after the other; `at` keeps what they leave.
  void forward(Run& run, const ModelInput& input, Activations& at) const {
    for (int stage = 0; stage < stages(); ++stage) run_stage(stage, run, input, at);
  }
  Var forward(Run& run, const ModelInput& input) const {
    Activations at;
    forward(run, input, at);
    return at.logits;
  }

  /// Questions first … first + count − 1 as this model reads them.
  virtual void encode_questions(const Questions& list, Index first, Index count,
                                const RowDraws& draws, EncodedQuestions& out) const = 0;
  /// Marks in rows whose tokens are written what follows from them: padding, what is pooled, and
  /// what each row draws for itself.
  virtual void complete_rows(const RowDraws& draws, EncodedQuestions& rows) const = 0;
  /// What the model says by itself: the most likely token at every position given those it said
  /// before (greedy decoding), or the most likely class. said: [batch, positions]; logits, unless
  /// null: [batch, positions, choices]. Nothing stops at an EOS. What forward() has left in `at`
  /// for the same input is not computed again; `at` may be empty, and keeps its logits.
  virtual void answer(Run& run, const ModelInput& input, Activations& at,
                      std::span<std::int32_t> said, float* logits = nullptr) const = 0;

 private:
  TaskShape shape_;
};

}  // namespace heddle
