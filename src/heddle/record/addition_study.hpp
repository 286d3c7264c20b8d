// The addition study as data: everything that its report says, in results.json
// (docs/results_json.md).
#pragma once

#include <string>
#include <vector>

#include "heddle/record/ablation.hpp"
#include "heddle/record/addition_score.hpp"
#include "heddle/record/attention.hpp"
#include "heddle/record/circuit.hpp"
#include "heddle/record/claims.hpp"
#include "heddle/record/pruning.hpp"

namespace heddle {

/// A validation during training.
struct CurveRow {
  std::int64_t step = 0, samples = 0;
  double learning_rate = 0, train_loss = 0, validation_loss = 0;
  Count tokens, teacher_forced, greedy;
  std::vector<Count> by_carries;

  static void fields(auto& self, auto&& field) {
    field("step", self.step);
    field("samples", self.samples);
    field("learning_rate", self.learning_rate);
    field("train_loss", self.train_loss);
    field("validation_loss", self.validation_loss);
    field("tokens", self.tokens);
    field("teacher_forced", self.teacher_forced);
    field("greedy", self.greedy);
    field("by_carries", self.by_carries);
  }
};

/// The main measures at one checkpoint of the training.
struct Snapshot {
  std::int64_t step = 0;
  Count greedy, tokens;
  std::vector<Count> by_carries;
  std::vector<NamedValue> modules;   ///< largest mean-ablation drop among the module's heads
  std::vector<NamedValue> roles;     ///< heads with each role
  std::vector<NamedValue> measures;  ///< largest value over heads of each attention measure

  static void fields(auto& self, auto&& field) {
    field("step", self.step);
    field("greedy", self.greedy);
    field("tokens", self.tokens);
    field("by_carries", self.by_carries);
    field("modules", self.modules);
    field("roles", self.roles);
    field("measures", self.measures);
  }
};

/// Everything that is known of one member.
struct MemberRecord {
  std::string recipe;  ///< "tuned", "reported", "reported-zero"
  std::uint64_t seed = 0;
  std::string config_hash, data_hash, weights_hash, isa;
  std::string defect;  ///< what the recipe reproduces on purpose; usually empty
  std::int64_t parameters = 0, steps = 0, samples = 0, best_step = 0;
  std::vector<CurveRow> curve;
  std::vector<std::string> warnings;  ///< what the watchdogs said
  AdditionScore test;                 ///< on the problems that no training saw
  AdditionScore census;               ///< empty (total 0) where it was not taken
  Ablation ablation;
  Pruning pruning;
  Specialisation specialisation;
  std::vector<AttentionPicture> pictures;  ///< averages by carry class, then single examples
  Patching patching;
  Probing probing;
  std::vector<Snapshot> snapshots;

  static void fields(auto& self, auto&& field) {
    field("recipe", self.recipe);
    field("seed", self.seed);
    field("config_hash", self.config_hash);
    field("data_hash", self.data_hash);
    field("weights_hash", self.weights_hash);
    field("isa", self.isa);
    field("defect", self.defect);
    field("parameters", self.parameters);
    field("steps", self.steps);
    field("samples", self.samples);
    field("best_step", self.best_step);
    field("curve", self.curve);
    field("warnings", self.warnings);
    field("test", self.test);
    field("census", self.census);
    field("ablation", self.ablation);
    field("pruning", self.pruning);
    field("specialisation", self.specialisation);
    field("pictures", self.pictures);
    field("patching", self.patching);
    field("probing", self.probing);
    field("snapshots", self.snapshots);
  }
};

/// Heads of two members paired by what they attend to, and whether their effects agree.
struct Matching {
  std::int64_t pairs_of_members = 0;
  double agreement = 0, low = 0, high = 0;  ///< mean rank correlation of effects, matched heads
  double random = 0;                        ///< the same for random pairings within modules
  double p = 1;                             ///< share of random pairings that agree as well

  static void fields(auto& self, auto&& field) {
    field("pairs_of_members", self.pairs_of_members);
    field("agreement", self.agreement);
    field("low", self.low);
    field("high", self.high);
    field("random", self.random);
    field("p", self.p);
  }
};

/// What the members of one recipe show together.
struct Population {
  std::string recipe, description;
  std::vector<std::uint64_t> seeds;
  std::vector<Estimate> headline;         ///< success, greedy, forced, worst seed, …
  std::vector<Estimate> critical_module;  ///< share of seeds whose most critical head sits there
  std::vector<Estimate> profile;          ///< drop of the head at rank 1, 2, … (mean mode)
  std::vector<Estimate> contrasts;        ///< module means against the rest
  std::vector<Estimate> roles;            ///< share of seeds that have at least one such head
  std::vector<Estimate> pruning;          ///< the reports' counts, heads that go for free, …
  std::vector<Estimate> circuit;          ///< patching and probes
  Matching matching;

  static void fields(auto& self, auto&& field) {
    field("recipe", self.recipe);
    field("description", self.description);
    field("seeds", self.seeds);
    field("headline", self.headline);
    field("critical_module", self.critical_module);
    field("profile", self.profile);
    field("contrasts", self.contrasts);
    field("roles", self.roles);
    field("pruning", self.pruning);
    field("circuit", self.circuit);
    field("matching", self.matching);
  }
};

/// The member that lost most heads free of charge, on every pair there is.
struct BestCut {
  std::uint64_t seed = 0;
  std::vector<std::string> cut;
  std::int64_t heads_left = 0, parameters = 0;
  Count census;  ///< total 0 where it was not taken

  static void fields(auto& self, auto&& field) {
    field("seed", self.seed);
    field("cut", self.cut);
    field("heads_left", self.heads_left);
    field("parameters", self.parameters);
    field("census", self.census);
  }
};

struct AdditionStudy {
  std::int64_t schema = 1;
  std::string version, isa, preset, command;
  std::vector<NamedValue> scale;  ///< problems, donors, … of this preset
  std::string config;             ///< the tuned recipe's settings, as config.json has them
  std::vector<MemberRecord> members;
  std::vector<Population> populations;
  std::vector<Claim> claims;
  std::vector<Reproduction> reproductions;
  BestCut best_cut;

  static void fields(auto& self, auto&& field) {
    field("schema", self.schema);
    field("version", self.version);
    field("isa", self.isa);
    field("preset", self.preset);
    field("command", self.command);
    field("scale", self.scale);
    field("config", self.config);
    field("members", self.members);
    field("populations", self.populations);
    field("claims", self.claims);
    field("reproductions", self.reproductions);
    field("best_cut", self.best_cut);
  }
};

}  // namespace heddle
