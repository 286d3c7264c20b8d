// See hand_built.hpp. The residual stream holds features in pairs of dimensions, +f and −f, so the
// mean of a row is 0; the last feature is ballast that fills Σ f² up to 8 (1 − ε), so that a norm
// divides by √(2 Σ f² / 16 + ε) = 1 and changes nothing. What the layers add is faint beside it: it
// moves that number by less than 2 · 10⁻⁵.
#include "heddle/model/classifier/hand_built.hpp"

#include <algorithm>
#include <cmath>

#include "heddle/base/index.hpp"
#include "heddle/base/version.hpp"
#include "heddle/config/presets.hpp"
#include "heddle/model/save_member.hpp"
#include "heddle/ops/norm.hpp"
#include "heddle/task/labelled_batch.hpp"

namespace heddle {
namespace {

/// A feature f of the stream stands at 2f, and its negative beside it.
using Feature = Index;
constexpr Feature kValue = 0;    // x / 64
constexpr Feature kThere = 1;    // 1; 0 for BOS and padding
constexpr Feature kLarger = 2;   // v / 64, from layer 0
constexpr Feature kBroken = 3;   // a / 64, from layer 1
constexpr Feature kBallast = 4;  // fills the norm up
constexpr double kUnit = 64;     // a power of two: x / 64 has no rounding
constexpr double kFaint = 64;
constexpr double kLoud = 10;  // the margin of a certain answer

/// Writes weights by name; all others are zeros.
class Pen {
 public:
  explicit Pen(const Weights& weights) : weights_(weights) { std::ranges::fill(numbers(), 0.0F); }

  void put(const std::string& path, Index row, Index column, double value) {
    const WeightSpec& spec = spec_of(path);
    numbers()[to_size(spec.offset + row * spec.shape[-1] + column)] = static_cast<float>(value);
  }
  /// A row of a table or matrix that writes a feature of the stream.
  void write(const std::string& path, Index row, Feature feature, double value) {
    put(path, row, 2 * feature, value);
    put(path, row, 2 * feature + 1, -value);
  }
  /// A column of a matrix that reads a feature of the stream.
  void read(const std::string& path, Feature feature, Index column, double value) {
    put(path, 2 * feature, column, value);
  }
  void fill(const std::string& path, double value) {
    const WeightSpec& spec = spec_of(path);
    for (Index i = 0; i < spec.shape.size(); ++i) put(path, 0, i, value);
  }

 private:
  const WeightSpec& spec_of(const std::string& path) const {
    const auto& specs = weights_.layout().specs();
    const auto found = std::ranges::find(specs, path, &WeightSpec::path);
    check<Error>(found != specs.end(), "no weight is called {}", path);
    return *found;
  }
  std::span<float> numbers() const {
    return {weights_.flat().write_shared<float>(), to_size(weights_.flat().size())};
  }

  const Weights& weights_;
};

/// CLS is a value above all others: it breaks no order. Padding is never seen.
void write_tokens(Pen& pen, double width) {
  const std::string table = "encoder.embed.token";
  for (std::int32_t token = 0; token < kSortVocabulary; ++token) {
    const bool there = token != kSortBos && token != kSortPad;
    const double x = !there ? 0.0 : std::min(token, kValueCount) / kUnit, flag = there ? 1.0 : 0.0;
    pen.write(table, token, kValue, x);
    pen.write(table, token, kThere, flag);
    pen.write(table, token, kBallast,
              std::sqrt(width / 2 * (1 - kNormEpsilon) - x * x - flag * flag));
  }
}

/// Both layers mix the same: 1 for tokens, 0 for BOS.
void write_mixture(Pen& pen, const std::string& layer, Feature result) {
  pen.read(layer + ".w_v", kThere, 0, 1);
  pen.write(layer + ".w_o", 0, result, 1 / kFaint);
}

/// q · k = c √d (x_j − (x_i + ½) there_j), with two dimensions of q and k.
void write_order(Pen& pen, double steepness) {
  const std::string layer = "encoder.0.self";
  pen.put(layer + ".b_q", 0, 0, steepness * kUnit);
  pen.read(layer + ".w_k", kValue, 0, 1);
  pen.read(layer + ".w_q", kValue, 1, -steepness * kUnit);
  pen.put(layer + ".b_q", 0, 1, -steepness / 2);
  pen.read(layer + ".w_k", kThere, 1, 1);
  write_mixture(pen, layer, kLarger);
}

/// q · k = c √d (v_j − ½ there_j), with one.
void write_verdict(Pen& pen, double steepness) {
  const std::string layer = "encoder.1.self";
  pen.put(layer + ".b_q", 0, 0, steepness);
  pen.read(layer + ".w_k", kLarger, 0, kFaint);
  pen.read(layer + ".w_k", kThere, 0, -0.5);
  write_mixture(pen, layer, kBroken);
}

void write_head(Pen& pen) {
  pen.read("head.w_in", kBroken, 0, kFaint);
  pen.put("head.w_out", 0, 0, kLoud);
  pen.put("head.w_out", 0, 1, -kLoud);
  pen.put("head.b_out", 0, 0, -kLoud / 2);
  pen.put("head.b_out", 0, 1, kLoud / 2);
}

}  // namespace

Config hand_built_config() {
  return preset_of_task(kHandBuilt, "sortedness");
}

Member hand_built_sorter(const SorterSharpness& sharpness) {
  Member member = make_member(hand_built_config());
  const auto width = static_cast<double>(member.config.model.d_model);
  const double scale = std::sqrt(static_cast<double>(member.config.model.d_head()));
  Pen pen(member.weights);
  for (const char* norm : {"encoder.0.norm_self", "encoder.0.norm_mlp", "encoder.1.norm_self",
                           "encoder.1.norm_mlp", "encoder.norm"})
    pen.fill(std::string(norm) + ".gain", 1);
  write_tokens(pen, width);
  write_order(pen, sharpness.order * scale);
  write_verdict(pen, sharpness.verdict * scale);
  write_head(pen);
  member.weights.pack();
  return member;
}

Index guaranteed_length(const SorterSharpness& sharpness) {
  const double leak = std::exp(-sharpness.order / 2);
  const auto sure = [&](Index length) {
    const auto tokens = static_cast<double>(length);
    return tokens * std::exp(sharpness.verdict * (tokens * leak - 0.5)) < 1;
  };
  Index yes = 0, no = 1;
  while (sure(no)) no *= 2;
  while (no - yes > 1) {
    const Index middle = yes + (no - yes) / 2;
    (sure(middle) ? yes : no) = middle;
  }
  return yes;
}

void save_hand_built(const std::string& run) {
  const Member member = hand_built_sorter();
  save_member(run, member,
              {{"heddle.version", std::string(kVersion)},
               {kSettingsHash, config_hash(member.config)},
               {kBuiltByHand, "nothing was trained"}});
}

}  // namespace heddle
