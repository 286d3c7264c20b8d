// Every setting of a run, once: the list of fields of each group drives JSON, --set, help, hash and
// equality. The values written here are the tuned recipe of addition; default_config() has those of
// each task.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/base/fields.hpp"
#include "heddle/config/kinds.hpp"

namespace heddle {

struct TaskConfig {  // NOLINT(clang-analyzer-optin.performance.Padding): in the order of tasks
  TaskKind name = TaskKind::addition;
  std::int64_t digits = 3;
  DigitOrder order = DigitOrder::most;
  DataSource source = DataSource::stream;
  double carry_balance = 0.5;
  double carry_fade = 0;
  BosKind bos = BosKind::token;
  PadKind pad = PadKind::token;
  std::string lengths{"8-16"};
  ValueKind values = ValueKind::windowed;
  std::string kinds{"shuffle,adjacent,distant,dip"};
  std::int64_t symbols = 10;
  std::int64_t modulus = 31;
  double train_share = 0.8;
  std::string path{};
  std::string columns{};
  FormKind form = FormKind::pairs;
  TokenKind tokens = TokenKind::words;
  double held_out = 0.1;
  // Read off the file, so that a run can be opened without it:
  std::int64_t vocabulary = 0, classes = 0, longest_input = 0, longest_output = 0;

  static void fields(auto& self, auto&& field) {
    field("name", self.name, "what is learned");
    field("digits", self.digits, "digits of each operand",
          only_for(kAddition, within(1, kMaxDigits)));
    field("order", self.order, "which digit of the sum is written first", only_for(kAddition));
    field("source", self.source,
          "fresh problems at every step, or 10,000 fixed ones (addition: with exactly `digits` "
          "digits; sortedness: with labels by the flip of a coin)",
          only_for("addition,sortedness"));
    field("carry_balance", self.carry_balance,
          "share of streamed problems in which carries, cascades and near misses are common",
          only_for(kAddition, within(0, 1)));
    field("carry_fade", self.carry_fade,
          "share of training over which carry_balance fades to 0; 0 keeps it",
          only_for(kAddition, within(0, 1)));
    field("bos", self.bos,
          "what the decoder starts from; `none` reproduces a defect: the first digit is never "
          "learned, decoding starts from the digit 0",
          only_for(kAddition));
    field("pad", self.pad,
          "what the loss ignores; `zero` reproduces a defect: the digit 0 is never learned",
          only_for(kAddition));
    field("lengths", self.lengths, "lengths of the sequences that train",
          only_for("sortedness,reverse,sort", text_of("two lengths such as 8-16, from 2 to 512")));
    field("values", self.values,
          "where values come from: all of 0-99, a window of random width, or half of each",
          only_for(kSortedness));
    field("kinds", self.kinds, "how the negatives that train are spoilt, in equal shares",
          only_for(kSortedness, text_of("names such as adjacent,distant out of swaps, shuffle, "
                                        "adjacent, distant, dip, reverse, rotate")));
    field("symbols", self.symbols, "different tokens of the sequences",
          only_for("reverse,sort", within(2, 10000)));
    field("modulus", self.modulus, "what the sum is divided by; the answer is the remainder",
          only_for("modular", within(2, 1000)));
    field("train_share", self.train_share, "share of all pairs that train; the others are asked",
          only_for("modular", within(0.01, 0.99)));
    field("path", self.path, "the file with one example a line",
          only_for(kFile, text_of("the path of a file such as pairs.csv")));
    field(
        "columns", self.columns,
        "which columns of a .csv or .tsv file are taken, where they are not called input, output, "
        "label, split; train says it with --columns",
        only_for(kFile, left_out_when("", text_of("INPUT,OUTPUT or INPUT,label=NAME, and "
                                                  "split=NAME"))));
    field("tokens", self.tokens, "how its texts are cut into tokens", only_for(kFile));
    field("held_out", self.held_out,
          "share of the inputs kept for validation, and as many for the test, at most 2,000 each; "
          "a file with a split column says it itself",
          only_for(kFile, within(0.001, 0.45)));
    field("form", self.form, "read off the file: its examples have an output, or a label",
          only_for(kFile));
    field("vocabulary", self.vocabulary, "read off the file: different tokens",
          only_for(kFile, within(0, 65536)));
    field("classes", self.classes, "read off the file: different labels",
          only_for(kFile, within(0, 4096)));
    field("longest_input", self.longest_input, "read off the file: tokens of the longest input",
          only_for(kFile, within(0, 4096)));
    field("longest_output", self.longest_output, "read off the file: tokens of the longest output",
          only_for(kFile, within(0, 4096)));
  }

  /// Whether the user's own file brings the task.
  bool from_file() const { return name == TaskKind::file; }

  static constexpr std::int64_t kMaxDigits = 64;
  static constexpr std::string_view kAddition = "addition", kSortedness = "sortedness",
                                    kFile = "file";
  /// Whose model is an encoder-decoder, and whose is a classifier.
  static constexpr std::string_view kPairs = "addition,reverse,sort,file",
                                    kLabels = "sortedness,modular,file";
};

struct ModelConfig {
  FamilyKind family = FamilyKind::by_task;
  std::int64_t d_model = 128;
  std::int64_t d_ff = 512;
  std::int64_t heads = 4;
  std::int64_t encoder_layers = 2;
  std::int64_t decoder_layers = 2;
  std::int64_t layers = 2;
  NormKind norm = NormKind::pre;
  FinalNormKind final_norm = FinalNormKind::by_norm;
  ActivationKind activation = ActivationKind::relu;
  PositionKind position = PositionKind::learned;
  PastEndKind position_past_end = PastEndKind::reject;
  std::int64_t position_rows = 0;
  double position_deviation = 1;
  std::int64_t position_starts = 1;
  std::int64_t position_reach = 8;
  double position_base = 10000;
  DirectionKind direction = DirectionKind::both;
  PoolingSetting pooling = PoolingSetting::mean;
  NormaliserKind normaliser = NormaliserKind::softmax;
  double dropout = 0;
  std::string cut_heads{};  ///< in the order of config/head_names.hpp

  std::int64_t d_head() const { return d_model / heads; }
  bool has_final_norm() const {
    return final_norm == FinalNormKind::by_norm ? norm == NormKind::pre
                                                : final_norm == FinalNormKind::yes;
  }

  static void fields(auto& self, auto&& field) {
    field("family", self.family,
          "what kind of model: by-task is the one that answers as the task asks, with a sequence "
          "(encoder-decoder) or with a label (classifier)",
          left_out_when("by-task"));
    field("d_model", self.d_model, "width of the residual stream; a multiple of heads",
          within(1, 65536));
    field("d_ff", self.d_ff, "width of the feed-forward hidden layer", within(1, 1 << 20));
    field("heads", self.heads, "attention heads of each attention", within(1, 1024));
    field("encoder_layers", self.encoder_layers, "blocks of the encoder",
          only_for(TaskConfig::kPairs, within(1, 256)));
    field("decoder_layers", self.decoder_layers, "blocks of the decoder",
          only_for(TaskConfig::kPairs, within(1, 256)));
    field("layers", self.layers, "blocks of the classifier's encoder",
          only_for(TaskConfig::kLabels, within(1, 256)));
    field("norm", self.norm, "layer norm before each sublayer, or after its residual sum");
    field("final_norm", self.final_norm,
          "a layer norm after the last block of encoder and decoder; by-norm: if norm is pre",
          added_later("by-norm"));
    field("activation", self.activation, "nonlinearity of the feed-forward layers");
    field("position", self.position, "how tokens know their place");
    field("position_past_end", self.position_past_end,
          "learned positions past the table: its last row, untrained rows, or an error");
    field("position_rows", self.position_rows,
          "rows of a learned table; 0: as many as the longest training sequence needs",
          only_for(TaskConfig::kLabels, within(0, 65536)));
    field("position_deviation", self.position_deviation,
          "of a learned table's rows at the start; those of the tokens have 1",
          only_for(TaskConfig::kLabels, at_least(0)));
    field("position_starts", self.position_starts,
          "abacus and coupled: how many starts training draws from, one for each problem; answers "
          "start at the first",
          added_later("1", only_for(TaskConfig::kAddition, within(1, 4096))));
    field("position_reach", self.position_reach,
          "distance from which on t5 and shaw treat all distances alike",
          only_for(TaskConfig::kLabels, within(1, 512)));
    field("position_base", self.position_base, "of the angles of rope",
          only_for(TaskConfig::kLabels, above(1)));
    field("direction", self.direction,
          "whether heads look both ways, or half of them back and half of them ahead",
          only_for(TaskConfig::kLabels));
    field("pooling", self.pooling, "how the tokens of a sequence become one answer",
          only_for(TaskConfig::kLabels));
    field("normaliser", self.normaliser, "how scores become weights",
          only_for(TaskConfig::kLabels));
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

  /// Whether the task asks for one label, not for a sequence.
  bool classifies() const;
  /// The family of its model: the one that was set, or the task's.
  FamilyKind family() const;
  /// Says which defect this configuration reproduces on purpose; empty for a sound one.
  std::string defect_note() const;
};
bool operator==(const Config& a, const Config& b);

/// The tuned recipe of a task: what its settings are when nothing is said.
Config default_config(TaskKind task);

/// Calls visit(Field) for every setting that the configuration's task has, in list order.
template <class Settings, class Visit>
void walk_settings(Settings& config, Visit&& visit) {
  const std::string task = field_text(config.task.name);
  walk(config, [&](const auto& field) {
    if (field.range.belongs_to(task)) visit(field);
  });
}

/// Throws UsageError, one line, for a value out of range or settings that cannot go together.
void validate(const Config& config);

/// Sixteen hexadecimal digits; equal configurations have equal hashes. An empty text and what
/// what a setting that was added later has in older files add nothing, so that their hashes stay.
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
