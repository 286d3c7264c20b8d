// What heads attend to: measures, roles, averages over sets of problems, and single examples.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

/// One number about one head, beside the value that a uniform head would have.
struct HeadMeasure {
  std::string head;     ///< "encoder.0.self.head.3"
  std::string measure;  ///< "entropy", "operator", … (docs/roles.md)
  double value = 0, uniform = 0;

  static void fields(auto& self, auto&& field) {
    field("head", self.head);
    field("measure", self.measure);
    field("value", self.value);
    field("uniform", self.uniform);
  }
};

/// The label that the written rules give a head.
struct HeadRole {
  std::string head, role;
  /// What the rule of the role compared (docs/roles.md): of a sharp or a broad head its entropy
  /// over that of a uniform one, so the lower the sharper; of every other the excess, the more the
  /// clearer.
  double score = 0;

  bool by_entropy() const { return role == "sharp" || role == "broad"; }

  static void fields(auto& self, auto&& field) {
    field("head", self.head);
    field("role", self.role);
    field("score", self.score);
  }
};

struct Specialisation {
  std::int64_t problems = 0;
  std::vector<HeadMeasure> measures;
  std::vector<HeadRole> roles;
  std::vector<HeadMeasure> as_reported;  ///< report D's four definitions, by its names

  static void fields(auto& self, auto&& field) {
    field("problems", self.problems);
    field("measures", self.measures);
    field("roles", self.roles);
    field("as_reported", self.as_reported);
  }
};

/// The attention of all heads of one module.
struct AttentionGrid {
  std::string module;  ///< "encoder.0.self"
  std::int64_t heads = 0, queries = 0, keys = 0;
  /// [head, query, key], rounded to 1e-4; in a decoder's self-attention key > query is masked (0)
  std::vector<double> weights;

  static void fields(auto& self, auto&& field) {
    field("module", self.module);
    field("heads", self.heads);
    field("queries", self.queries);
    field("keys", self.keys);
    field("weights", self.weights);
  }
};

/// The attention of one input, or averaged over the inputs of a class.
struct AttentionPicture {
  std::string name;                         ///< "374+814", or a class: "2 carries", "all"
  std::int64_t problems = 1;                ///< how many were averaged
  std::string output, expected;             ///< of a single input
  std::vector<std::string> source, target;  ///< tokens: what the encoder and the decoder read
  std::vector<AttentionGrid> modules;

  static void fields(auto& self, auto&& field) {
    field("name", self.name);
    field("problems", self.problems);
    field("output", self.output);
    field("expected", self.expected);
    field("source", self.source);
    field("target", self.target);
    field("modules", self.modules);
  }
};

}  // namespace heddle
