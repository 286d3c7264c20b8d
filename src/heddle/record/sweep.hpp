// Everything that a sweep found: members, cells of the grid, and what each setting does with all
// else equal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heddle/record/kinds.hpp"

namespace heddle {

/// One thing that a member is asked, and how many it got right.
struct Measure {
  std::string name;  ///< "greedy exact match", "adjacent at 256"
  std::int64_t correct = 0, total = 0;
  double chance = -1;  ///< what guessing gets; −1 = nothing that guesses gets anywhere

  static void fields(auto& self, auto&& field) {
    field("name", self.name);
    field("correct", self.correct);
    field("total", self.total);
    field("chance", self.chance);
  }
};

/// A member's own file: what is left of it besides the run.
struct SweepMeasured {
  std::string failure;  ///< why the training came to nothing; usually empty
  std::vector<Measure> measures;

  static void fields(auto& self, auto&& field) {
    field("failure", self.failure);
    field("measures", self.measures);
  }
};

/// A measure of one member with its interval over problems.
struct SweepScore {
  std::string measure;
  std::int64_t correct = 0, total = 0;
  double value = 0, low = 0, high = 1;  ///< Wilson
  double chance = -1;
  bool above_chance = false;  ///< its whole interval is

  static void fields(auto& self, auto&& field) {
    field("measure", self.measure);
    field("correct", self.correct);
    field("total", self.total);
    field("value", self.value);
    field("low", self.low);
    field("high", self.high);
    field("chance", self.chance);
    field("above_chance", self.above_chance);
  }
};

/// One validation of a training.
struct SweepPoint {
  std::int64_t step = 0;
  double train_loss = 0, validation_loss = 0;
  double accuracy = 0;  ///< whole answers, or labels, on the validation set

  static void fields(auto& self, auto&& field) {
    field("step", self.step);
    field("train_loss", self.train_loss);
    field("validation_loss", self.validation_loss);
    field("accuracy", self.accuracy);
  }
};

struct SweepMember {
  std::string cell;  ///< by its name
  std::uint64_t seed = 0;
  std::string run;      ///< its folder, from the sweep's
  std::string failure;  ///< as in SweepMeasured
  std::int64_t steps = 0, samples = 0, best_step = 0;
  std::string config_hash, data_hash;
  std::vector<std::string> watchdogs;  ///< what they said: "step 80, plateau: …"
  std::vector<SweepScore> scores;
  std::vector<SweepPoint> log;

  static void fields(auto& self, auto&& field) {
    field("cell", self.cell);
    field("seed", self.seed);
    field("run", self.run);
    field("failure", self.failure);
    field("steps", self.steps);
    field("samples", self.samples);
    field("best_step", self.best_step);
    field("config_hash", self.config_hash);
    field("data_hash", self.data_hash);
    field("watchdogs", self.watchdogs);
    field("scores", self.scores);
    field("log", self.log);
  }
};

/// One measure over the seeds of a cell.
struct SweepEstimate {
  std::string measure;
  std::int64_t seeds = 0;  ///< that have it
  double mean = 0, low = 0, high = 1;
  IntervalOver over = IntervalOver::seeds;
  double worst = 0, best = 0;
  std::uint64_t worst_seed = 0;
  double chance = -1;
  std::int64_t above_chance = 0;  ///< seeds; means something where chance is known
  std::int64_t complete = 0;      ///< seeds without a single error

  static void fields(auto& self, auto&& field) {
    field("measure", self.measure);
    field("seeds", self.seeds);
    field("mean", self.mean);
    field("low", self.low);
    field("high", self.high);
    field("over", self.over);
    field("worst", self.worst);
    field("best", self.best);
    field("worst_seed", self.worst_seed);
    field("chance", self.chance);
    field("above_chance", self.above_chance);
    field("complete", self.complete);
  }
};

/// One combination of alternatives.
struct SweepCellRecord {
  std::string name, label;
  std::vector<std::string> values;  ///< one per axis
  std::string defect;               ///< what it reproduces on purpose; usually empty
  std::int64_t seeds = 0, failed = 0;
  std::vector<SweepEstimate> estimates;
  std::string config;  ///< as config.json has it, of the first seed

  static void fields(auto& self, auto&& field) {
    field("name", self.name);
    field("label", self.label);
    field("values", self.values);
    field("defect", self.defect);
    field("seeds", self.seeds);
    field("failed", self.failed);
    field("estimates", self.estimates);
    field("config", self.config);
  }
};

/// Two alternatives of one setting, all else equal.
struct SweepContrast {
  std::string setting, name;  ///< "model.position", "position"
  std::string measure;
  std::string better, other;                  ///< alternatives, by their means
  std::int64_t pairs = 0;                     ///< of members that differ in nothing else
  std::int64_t ahead = 0, behind = 0;         ///< pairs in which `better` is so, and the reverse
  std::int64_t seeds = 0;                     ///< over which these were averaged first
  double better_mean = 0, other_mean = 0;     ///< over the pairs
  double difference = 0, low = -1, high = 1;  ///< better − other, 95 %
  IntervalOver over = IntervalOver::seeds;
  double p = 1, p_holm = 1;  ///< two-sided; Holm over the pairs of the setting
  bool told_apart = false;   ///< p_holm < 0.05; of one seed: 0 is outside

  static void fields(auto& self, auto&& field) {
    field("setting", self.setting);
    field("name", self.name);
    field("measure", self.measure);
    field("better", self.better);
    field("other", self.other);
    field("pairs", self.pairs);
    field("ahead", self.ahead);
    field("behind", self.behind);
    field("seeds", self.seeds);
    field("better_mean", self.better_mean);
    field("other_mean", self.other_mean);
    field("difference", self.difference);
    field("low", self.low);
    field("high", self.high);
    field("over", self.over);
    field("p", self.p);
    field("p_holm", self.p_holm);
    field("told_apart", self.told_apart);
  }
};

/// A setting and its alternatives.
struct SweepAxisRecord {
  std::string setting, name;
  std::vector<std::string> values;

  static void fields(auto& self, auto&& field) {
    field("setting", self.setting);
    field("name", self.name);
    field("values", self.values);
  }
};

struct SweepStudy {
  std::int64_t schema = 1;
  std::string study = "sweep";
  std::string version, isa, task, command;
  std::vector<SweepAxisRecord> axes;
  std::vector<std::uint64_t> seeds;
  std::string main;                   ///< the measure that ranks the cells
  std::vector<std::string> measures;  ///< all of them
  std::vector<SweepCellRecord> cells;
  std::vector<SweepContrast> contrasts;
  std::vector<SweepMember> members;

  static void fields(auto& self, auto&& field) {
    field("schema", self.schema);
    field("study", self.study);
    field("version", self.version);
    field("isa", self.isa);
    field("task", self.task);
    field("command", self.command);
    field("axes", self.axes);
    field("seeds", self.seeds);
    field("main", self.main);
    field("measures", self.measures);
    field("cells", self.cells);
    field("contrasts", self.contrasts);
    field("members", self.members);
  }
};

}  // namespace heddle
