// The explanations one by one, and what they share.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/lens/explain/explain.hpp"
#include "heddle/task/questions.hpp"

namespace heddle {

using ExplainMembers = std::span<const ExplainMember>;
using MaybeExplained = std::optional<SortExplanation>;

/// P_t·P_s of sinusoids = Σ_k cos((t − s) ω_k).
MaybeExplained explain_identity(ExplainMembers members, const ExplainScale& scale);
/// What W_Q W_Kᵀ makes of it.
MaybeExplained explain_identity_heads(ExplainMembers members, const ExplainScale& scale);
/// ½(1 + seen swaps) against length.
MaybeExplained explain_clamping(ExplainMembers members, const ExplainScale& scale);
/// 1/(1 + (n − 1)e^(−m)) against n.
MaybeExplained explain_dispersion(ExplainMembers members, const ExplainScale& scale);
/// What one swap moves of the pooled vector, against length.
MaybeExplained explain_dilution(ExplainMembers members, const ExplainScale& scale);
/// The learned table: how far its rows have come.
MaybeExplained explain_embedding(ExplainMembers members, const ExplainScale& scale);
/// The learned table: how alike neighbours are.
MaybeExplained explain_smoothness(ExplainMembers members, const ExplainScale& scale);
/// Encodings as matrices, biases by distance.
MaybeExplained explain_encodings(ExplainMembers members, const ExplainScale& scale);
/// Attention on a short and on a long sequence.
MaybeExplained explain_attention(ExplainMembers members, const ExplainScale& scale);
/// How the data itself shifts with length.
MaybeExplained explain_ties(ExplainMembers members, const ExplainScale& scale);

/// The first few members of a recipe.
struct RecipeGroup {
  std::string recipe;
  std::vector<const ExplainMember*> members;

  const ExplainMember& first() const { return *members.front(); }
  const ModelConfig& model() const { return first().member.config.model; }
};
using Fits = std::function<bool(const ExplainMember&)>;
/// At most `most` recipes whose members fit: "recipe" first, the reports' own
/// last, the others as they come.
std::vector<RecipeGroup> by_recipe(ExplainMembers members, std::size_t most, const Fits& fits);

/// The mean over rows (one per member) with their range where there are several.
SortCurve over_members(std::string label, const std::vector<double>& x,
                       const std::vector<std::vector<double>>& rows);

/// Lengths from the shortest map's to the longest map's, in order, once each, as far as the
/// member's positions go.
std::vector<Index> lengths_for(const ExplainScale& scale, const ModelConfig& model);
/// Whether the model takes sequences longer than it was trained on.
bool accepts_longer_inputs(const ModelConfig& model);

/// A weight by its path; UsageError where there is none.
Tensor weight_at(const Weights& weights, std::string_view path);
/// The path of the model's first table of tokens or of places; UsageError where there is none.
std::string table_path(const Member& member, TapRole role);
/// The attention that reads the embedding.
const HeadGroup& first_attention(const Member& member);
/// What passes a tap on these sequences.
Tensor seen_at(const Member& member, const Questions& sequences, std::string_view tap);

/// Rows of sines and cosines for places 0 … count − 1, [count, width], in double.
Tensor sinusoid_rows(Index count, Index width);

/// To four digits after the point, for maps.
double rounded(double value);

std::vector<double> as_doubles(std::span<const Index> numbers);

}  // namespace heddle
