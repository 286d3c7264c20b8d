// Everything that a run's folder holds about itself: what `heddle report RUN` tells, in
// RUN/results.json.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "heddle/record/addition_study.hpp"
#include "heddle/record/audit.hpp"
#include "heddle/record/lenses.hpp"
#include "heddle/record/run_score.hpp"

namespace heddle {

struct RunSetting {
  std::string name, value;
  std::string usual;  ///< its value when nothing is said

  static void fields(auto& self, auto&& field) {
    field("name", self.name);
    field("value", self.value);
    field("usual", self.usual);
  }
};

struct RunSplit {
  std::string split;
  std::int64_t count = 0;  ///< 0: none; of the training, fresh ones at every step
  std::string makeup;      ///< what it is made of, in words; may be empty

  static void fields(auto& self, auto&& field) {
    field("split", self.split);
    field("count", self.count);
    field("makeup", self.makeup);
  }
};

/// A validation during training; what a clock said is left out.
struct RunRow {
  std::int64_t step = 0, samples = 0;
  double learning_rate = 0, train_loss = 0, validation_loss = 0;
  Count tokens, teacher_forced, greedy;  ///< of sequences
  Count accuracy;                        ///< of labels

  static void fields(auto& self, auto&& field) {
    field("step", self.step);
    field("samples", self.samples);
    field("learning_rate", self.learning_rate);
    field("train_loss", self.train_loss);
    field("validation_loss", self.validation_loss);
    field("tokens", self.tokens);
    field("teacher_forced", self.teacher_forced);
    field("greedy", self.greedy);
    field("accuracy", self.accuracy);
  }
};

/// What `heddle prune` did: the way down and both ends of it.
struct RunPruning {
  PruneCurve curve;
  double max_drop = std::numeric_limits<double>::quiet_NaN();  ///< --max-drop; else no number
  std::int64_t keep = -1;                                      ///< --keep; −1 where not given
  std::vector<SmallerModel> models;                            ///< intact, pruned

  static void fields(auto& self, auto&& field) {
    field("curve", self.curve);
    field("max_drop", self.max_drop);
    field("keep", self.keep);
    field("models", self.models);
  }
};

struct RunPictures {
  std::vector<AttentionPicture> pictures;

  static void fields(auto& self, auto&& field) { field("pictures", self.pictures); }
};

/// What is unusual or worth knowing about the data, a line each.
struct RunData {
  std::vector<std::string> lines;

  static void fields(auto& self, auto&& field) { field("lines", self.lines); }
};

/// A part of the report that is not there, and the command that makes it; empty if none can.
struct MissingPart {
  std::string part, why, command;

  static void fields(auto& self, auto&& field) {
    field("part", self.part);
    field("why", self.why);
    field("command", self.command);
  }
};

struct RunRecord {
  static constexpr std::int64_t kSchema = 1;

  std::int64_t schema = kSchema;
  std::string study{"run"};  ///< tells results.json from those of studies
  std::string version, isa;
  std::string task;          ///< "reverse", "dates.csv"
  std::string answers;       ///< what it gives: "sequences" or "labels"
  std::string weights_hash;  ///< of model.safetensors
  std::string cut_from;      ///< settings hash of the run that it was cut out of, if it was
  std::int64_t parameters = 0, heads = 0, steps = 0, samples = 0, best_step = 0;
  bool finished = false;
  std::vector<RunSetting> settings;
  RunData data;
  std::vector<RunSplit> splits;
  std::vector<std::string> warnings;  ///< of the training's watchdogs
  std::vector<RunRow> curve;
  RunScore score;  ///< no rows where it was not taken
  RunPruning pruning;
  PairPatching pairs;   ///< of the user's pairs; no heads where there are none
  LabelProbing labels;  ///< of the user's labels; no probes where there are none
  Audit audit;          ///< no checks where none was made
  std::vector<MissingPart> missing;
  /// Of these, only what follows below belongs to a run; `recipe` is the task's name again, for
  /// the figures that runs and studies share.
  MemberRecord member;

  static void fields(auto& self, auto&& field) {
    field("schema", self.schema);
    field("study", self.study);
    field("version", self.version);
    field("isa", self.isa);
    field("task", self.task);
    field("answers", self.answers);
    field("seed", self.member.seed);
    field("config_hash", self.member.config_hash);
    field("data_hash", self.member.data_hash);
    field("weights_hash", self.weights_hash);
    field("defect", self.member.defect);
    field("cut_from", self.cut_from);
    field("parameters", self.parameters);
    field("heads", self.heads);
    field("steps", self.steps);
    field("samples", self.samples);
    field("best_step", self.best_step);
    field("finished", self.finished);
    field("settings", self.settings);
    field("data", self.data);
    field("splits", self.splits);
    field("warnings", self.warnings);
    field("curve", self.curve);
    field("score", self.score);
    field("ablation", self.member.ablation);
    field("pruning", self.pruning);
    field("specialisation", self.member.specialisation);
    field("patching", self.member.patching);
    field("pair_patching", self.pairs);
    field("probing", self.member.probing);
    field("label_probing", self.labels);
    field("audit", self.audit);
    field("pictures", self.member.pictures);
    field("missing", self.missing);
  }
};

}  // namespace heddle
