// Everything that a sortedness study found: members, populations, explanations, claims.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heddle/record/claims.hpp"
#include "heddle/record/sortedness.hpp"

namespace heddle {

/// One validation of a training.
struct SortLogPoint {
  std::int64_t step = 0;
  double train_loss = 0, validation_loss = 0;
  double accuracy = 0;            ///< on the validation set
  double predicted_positive = 0;  ///< share of it that was called sorted

  static void fields(auto& self, auto&& field) {
    field("step", self.step);
    field("train_loss", self.train_loss);
    field("validation_loss", self.validation_loss);
    field("accuracy", self.accuracy);
    field("predicted_positive", self.predicted_positive);
  }
};

/// A trained or hand-built model and its scores.
struct SortMember {
  std::string recipe;  ///< "alibi-max", "reports-sinusoidal-mean", "hand-built"
  std::uint64_t seed = 0;
  std::string position, pooling, normaliser, direction, norm;
  std::string values, kinds, lengths;  ///< of the training
  std::int64_t layers = 0, d_model = 0, heads = 0, parameters = 0;
  std::int64_t steps = 0, batch = 0, best_step = 0;
  double threshold = 0;                ///< frozen from the training lengths
  double in_range = 0;                 ///< accuracy at the training lengths on the learnt kinds
  bool learned = false;                ///< in_range reaches the study's bar
  bool constant = false;               ///< one answer for at least 99 % at the training lengths
  std::vector<std::string> watchdogs;  ///< in training: "step 80, plateau: …"
  std::vector<SortLogPoint> log;
  std::vector<SortCell> cells;

  static void fields(auto& self, auto&& field) {
    field("recipe", self.recipe);
    field("seed", self.seed);
    field("position", self.position);
    field("pooling", self.pooling);
    field("normaliser", self.normaliser);
    field("direction", self.direction);
    field("norm", self.norm);
    field("values", self.values);
    field("kinds", self.kinds);
    field("lengths", self.lengths);
    field("layers", self.layers);
    field("d_model", self.d_model);
    field("heads", self.heads);
    field("parameters", self.parameters);
    field("steps", self.steps);
    field("batch", self.batch);
    field("best_step", self.best_step);
    field("threshold", self.threshold);
    field("in_range", self.in_range);
    field("learned", self.learned);
    field("constant", self.constant);
    field("watchdogs", self.watchdogs);
    field("log", self.log);
    field("cells", self.cells);
  }
};

/// One cell over the seeds of a recipe.
struct SortEstimate {
  std::int64_t length = 0;
  std::string kind;
  std::int64_t delta = 0;
  std::string values;
  std::string measure;         ///< "accuracy", "tpr", "tnr", "auroc", "pairs"
  bool given_learned = false;  ///< over the members that learned it in range only
  std::int64_t seeds = 0;
  double median = 0, low = 0, high = 0;  ///< 95 % interval of the median (range below six seeds)
  double worst = 0, best = 0;
  double ceiling = -1;  ///< of accuracy; −1 = none known

  static void fields(auto& self, auto&& field) {
    field("length", self.length);
    field("kind", self.kind);
    field("delta", self.delta);
    field("values", self.values);
    field("measure", self.measure);
    field("given_learned", self.given_learned);
    field("seeds", self.seeds);
    field("median", self.median);
    field("low", self.low);
    field("high", self.high);
    field("worst", self.worst);
    field("best", self.best);
    field("ceiling", self.ceiling);
  }
};

/// All members of one recipe.
struct SortPopulation {
  std::string recipe, group;  ///< group: "required", "recipe", "contrast", "reports", "hand-built"
  std::string description;
  std::string position, pooling, normaliser, direction, values;
  bool reads_order = false;  ///< the pooling compares neighbours itself
  std::vector<std::uint64_t> seeds;
  std::int64_t learned = 0;
  double learned_low = 0, learned_high = 1;  ///< exact binomial, 95 %
  std::vector<SortEstimate> estimates;

  static void fields(auto& self, auto&& field) {
    field("recipe", self.recipe);
    field("group", self.group);
    field("description", self.description);
    field("position", self.position);
    field("pooling", self.pooling);
    field("normaliser", self.normaliser);
    field("direction", self.direction);
    field("values", self.values);
    field("reads_order", self.reads_order);
    field("seeds", self.seeds);
    field("learned", self.learned);
    field("learned_low", self.learned_low);
    field("learned_high", self.learned_high);
    field("estimates", self.estimates);
  }
};

/// A curve of an explanation.
struct SortCurve {
  std::string label;
  std::vector<double> x, y, low, high;  ///< low and high may be empty

  static void fields(auto& self, auto&& field) {
    field("label", self.label);
    field("x", self.x);
    field("y", self.y);
    field("low", self.low);
    field("high", self.high);
  }
};

/// A matrix of an explanation, row by row: position rows, attention of a head.
struct SortMap {
  std::string label, note;
  std::int64_t rows = 0, columns = 0;
  std::int64_t trained_rows = 0;  ///< of a learned table; 0 where it does not apply
  std::vector<std::string> row_names, column_names;  ///< may be empty
  std::vector<double> values;

  static void fields(auto& self, auto&& field) {
    field("label", self.label);
    field("note", self.note);
    field("rows", self.rows);
    field("columns", self.columns);
    field("trained_rows", self.trained_rows);
    field("row_names", self.row_names);
    field("column_names", self.column_names);
    field("values", self.values);
  }
};

/// A formula beside the measurement of that very quantity.
struct SortExplanation {
  std::string id;  ///< "dilution", "dispersion", "clamping", "identity", "embedding", …
  std::string title;
  std::string formula;  ///< in words and symbols; no measured number in it
  std::string x_label, y_label;
  bool log_x = false;
  std::vector<SortCurve> predicted, measured;
  std::vector<SortMap> maps;

  static void fields(auto& self, auto&& field) {
    field("id", self.id);
    field("title", self.title);
    field("formula", self.formula);
    field("x_label", self.x_label);
    field("y_label", self.y_label);
    field("log_x", self.log_x);
    field("predicted", self.predicted);
    field("measured", self.measured);
    field("maps", self.maps);
  }
};

struct SortednessStudy {
  std::int64_t schema = 1;
  std::string study = "sortedness";
  std::string version, isa, preset, command;
  std::vector<NamedValue> scale;
  std::string config;  ///< the recipe's settings, as config.json has them
  double learned_bar = 0.99;
  std::int64_t train_shortest = 8, train_longest = 16;
  std::vector<SortMember> members;
  std::vector<SortPopulation> populations;
  std::vector<SortExplanation> explanations;
  std::vector<Claim> claims;
  std::vector<Reproduction> reproductions;

  static void fields(auto& self, auto&& field) {
    field("schema", self.schema);
    field("study", self.study);
    field("version", self.version);
    field("isa", self.isa);
    field("preset", self.preset);
    field("command", self.command);
    field("scale", self.scale);
    field("config", self.config);
    field("learned_bar", self.learned_bar);
    field("train_shortest", self.train_shortest);
    field("train_longest", self.train_longest);
    field("members", self.members);
    field("populations", self.populations);
    field("explanations", self.explanations);
    field("claims", self.claims);
    field("reproductions", self.reproductions);
  }
};

}  // namespace heddle
