// Every setting of a run, once: the list of fields of each group drives JSON, --set, help, hash and
// equality. The values written here are the tuned recipe, the preset "default".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/base/fields.hpp"
#include "heddle/config/kinds.hpp"

namespace heddle {

struct TaskConfig {
  TaskKind name = TaskKind::addition;
  std::int64_t digits = 3;
  DigitOrder order = DigitOrder::most;
  DataSource source = DataSource::stream;
  double carry_balance = 0.5;
  double carry_fade = 0;
  BosKind bos = BosKind::token;
  PadKind pad = PadKind::token;

  static void fields(auto& self, auto&& field) {
    field("name", self.name, "what is learned");
    field("digits", self.digits, "digits of each operand", within(1, kMaxDigits));
    field("order", self.order, "which digit of the sum is written first");
    field("source", self.source,
          "fresh problems at every step, or 10,000 fixed ones with exactly `digits` digits");
    field("carry_balance", self.carry_balance,
          "share of streamed problems in which carries, cascades and near misses are common",
          within(0, 1));
    field("carry_fade", self.carry_fade,
          "share of training over which carry_balance fades to 0; 0 keeps it", within(0, 1));
    field("bos", self.bos,
          "what the decoder starts from; `none` reproduces a defect: the first digit is never "
          "learned, decoding starts from the digit 0");
    field("pad", self.pad,
          "what the loss ignores; `zero` reproduces a defect: the digit 0 is never learned");
  }

  static constexpr std::int64_t kMaxDigits = 64;
};

struct ModelConfig {
  std::int64_t d_model = 128;
  std::int64_t d_ff = 512;
  std::int64_t heads = 4;
  std::int64_t encoder_layers = 2;
  std::int64_t decoder_layers = 2;
  NormKind norm = NormKind::pre;
  ActivationKind activation = ActivationKind::relu;
  PositionKind position = PositionKind::learned;
  PastEndKind position_past_end = PastEndKind::reject;
  double dropout = 0;
  std::string cut_heads{};  ///< in the order of config/head_names.hpp

  std::int64_t d_head() const { return d_model / heads; }

  static void fields(auto& self, auto&& field) {
    field("d_model", self.d_model, "width of the residual stream; a multiple of heads",
          within(1, 65536));
    field("d_ff", self.d_ff, "width of the feed-forward hidden layer", within(1, 1 << 20));
    field("heads", self.heads, "attention heads of each attention", within(1, 1024));
    field("encoder_layers", self.encoder_layers, "blocks of the encoder", within(1, 256));
    field("decoder_layers", self.decoder_layers, "blocks of the decoder", within(1, 256));
    field("norm", self.norm, "layer norm before each sublayer, or after its residual sum");
    field("activation", self.activation, "nonlinearity of the feed-forward layers");
    field("position", self.position, "how tokens know their place");
    field("position_past_end", self.position_past_end,
          "learned positions past the table: its last row, untrained rows, or an error");
    field("dropout", self.dropout, "not supported yet: only 0", from_below(0, 1));
    field("cut_heads", self.cut_heads,
          "heads that are not there, by their names in the whole model; d_model / heads stays the "
          "width of the others",
          text_of("names such as encoder.0.self.head.1 with commas between them, or nothing"));
  }
};

struct TrainConfig {
  std::int64_t batch = 128;
  std::int64_t steps = 2000;
  double lr = 1e-3;
  std::int64_t warmup = 100;
  ScheduleKind schedule = ScheduleKind::cosine;
  double min_lr = 0;
  double clip = 1;
  double weight_decay = 0;
  double ema = 0;
  OptimizerKind optimizer = OptimizerKind::adamw;
  double beta1 = 0.9;
  double beta2 = 0.98;
  double epsilon = 1e-8;
  std::int64_t eval_every = 200;

  static void fields(auto& self, auto&& field) {
    field("batch", self.batch, "problems per step", within(1, 1 << 20));
    field("steps", self.steps, "optimiser steps", within(1, 1e9));
    field("lr", self.lr, "learning rate after warm-up", above(0));
    field("warmup", self.warmup, "steps over which the learning rate rises from 0", within(0, 1e9));
    field("schedule", self.schedule, "how the learning rate falls after warm-up");
    field("min_lr", self.min_lr, "learning rate at the end of cosine and linear", at_least(0));
    field("clip", self.clip, "largest norm of the gradient; 0 = no clipping", at_least(0));
    field("weight_decay", self.weight_decay,
          "decay of weight matrices (adamw: decoupled; adam: added to the gradient)", at_least(0));
    field("ema", self.ema, "decay of the averaged weights that are evaluated and saved; 0 = none",
          from_below(0, 1));
    field("optimizer", self.optimizer, "update rule");
    field("beta1", self.beta1, "decay of the gradient's mean", from_below(0, 1));
    field("beta2", self.beta2, "decay of the gradient's second moment", from_below(0, 1));
    field("epsilon", self.epsilon, "added to the root of the second moment", above(0));
    field("eval_every", self.eval_every, "steps between validations; 0 = only at the end",
          within(0, 1e9));
  }
};

/// One member's settings.
struct Config {
  TaskConfig task;
  ModelConfig model;
  TrainConfig train;
  std::uint64_t seed = 1;

  static void fields(auto& self, auto&& field) {
    field("task", self.task, "the task and its data");
    field("model", self.model, "the model");
    field("train", self.train, "the training");
    field("seed", self.seed, "names the member: weights, data and order follow from it");
  }

  /// Says which defect this configuration reproduces on purpose; empty for a sound one.
  std::string defect_note() const;
};
bool operator==(const Config& a, const Config& b);

/// Throws UsageError, one line, for a value out of range or settings that cannot go together.
void validate(const Config& config);

/// Sixteen hexadecimal digits; equal configurations have equal hashes. An empty text adds nothing,
/// so that a text setting leaves hashes alone that are older than it.
std::string config_hash(const Config& config);

/// "train.lr=0.001 against 0.002", one per setting that differs.
std::vector<std::string> differences(const Config& a, const Config& b);

/// One line of `heddle config`.
struct Setting {
  std::string name;  ///< with its group: "model.heads"
  std::string value;
  std::string default_value;
  std::string accepted;
  std::string help;
};
/// Every setting, in the order of the lists.
std::vector<Setting> settings(const Config& config);

}  // namespace heddle
